import { expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { HttpRequest, HttpResponse } from '../../adapters/platform/http/request.js';
import { serveObject } from '../../adapters/platform/http/files.js';
import type { ObjectStorage } from '../../application/storage/object-storage.js';

it('closes the object when its client is gone before the first byte, and calls that no failure', async () => {
  const body = Readable.from([Buffer.alloc(10)]);
  const info = { key: 'k', contentType: 'audio/mpeg', etag: 'e', sizeBytes: 10, lastModified: new Date() };
  let opened: Promise<unknown> = Promise.resolve();
  // The storage answers only after the client has left.
  const storage = {
    head: async () => info,
    get: async () => opened.then(() => ({ ...info, body })),
  } as unknown as ObjectStorage;
  let settle: (outcome: Promise<void>) => void;
  const served = new Promise<void>((resolve) => (settle = resolve as typeof settle));
  const server = createServer((request, response) => {
    opened = new Promise((closed) => response.once('close', () => closed(undefined)));
    const options = { contentType: 'audio/mpeg', cacheControl: 'no-cache' };
    settle(serveObject(request as HttpRequest, response as HttpResponse, storage, 'k', options));
    client.destroy();
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  try {
    await served;
    expect(body.destroyed).toBe(true);
  } finally {
    server.close();
  }
});
