import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { packLarge } from '../../adapters/platform/http/middleware.js';
import type { HttpRequest, HttpResponse } from '../../adapters/platform/http/request.js';

async function answerOf(handle: (response: HttpResponse) => void) {
  const listener = (request: HttpRequest, response: HttpResponse) =>
    packLarge(request, response, () => {
      response.setHeader('Content-Type', 'application/json');
      handle(response);
    });
  const server = createServer(listener as unknown as RequestListener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { headers, body } = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
    const encoding = headers.get('content-encoding');
    return { encoding, varies: headers.get('vary'), text: await new Response(body).text() };
  } finally {
    server.close();
  }
}

it('[OPS-174] packs an answer that is large, and leaves a small one as it is', async () => {
  const [small, large] = ['x'.repeat(1_000), 'x'.repeat(100_000)];
  expect(await answerOf((response) => response.end(small))).toEqual({
    encoding: null,
    varies: null,
    text: small,
  });
  expect(await answerOf((response) => response.end(large))).toEqual({
    encoding: 'gzip',
    varies: 'Accept-Encoding',
    text: large,
  });
});

it('[OPS-174] packs what is sent in pieces, however many', async () => {
  const pieces = Array.from({ length: 500 }, (_, n) => `${n} ${Math.random()}`.padEnd(10_000, `${n}`));
  const sent = await answerOf((response) => Readable.from(pieces).pipe(response));
  expect([sent.encoding, sent.text === pieces.join('')]).toEqual(['gzip', true]);
});
