import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns whether it answered the request itself. */
export type Tamper = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

export interface TamperingProxy {
  url: string;
  /** The requests since the proxy started. */
  seen: { path: string; range: string | undefined }[];
  tamper: Tamper | undefined;
  /** Sends the answer's first bytes, and then nothing until the client leaves. */
  stallAfter: { path: RegExp; bytes: number } | undefined;
  close(): Promise<void>;
}

/** A proxy in front of a product that can change or hold answers. Addresses in answers lead through it. */
export async function startTamperingProxy(target: string): Promise<TamperingProxy> {
  const proxy: Omit<TamperingProxy, 'url' | 'close'> = { seen: [], tamper: undefined, stallAfter: undefined };
  let url = '';
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url: path = '' } = request;
    const { host: _host, ...sent } = headers;
    const onward = send(`${target}${path}`, { method, headers: sent }, (answer) => {
      const { location, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, {
        ...kept,
        ...(location !== undefined && { location: location.replace(target, url) }),
      });
      const { stallAfter } = proxy;
      if (!stallAfter?.path.test(path)) return void answer.pipe(response);
      let left = stallAfter.bytes;
      answer.on('data', (chunk: Buffer) => {
        if (left > 0) response.write(chunk.subarray(0, left));
        left -= chunk.length;
      });
      return undefined;
    });
    // A client that was killed leaves its request half sent.
    onward.once('error', () => response.destroy());
    request.once('close', () => request.complete || onward.destroy());
    request.pipe(onward);
  };
  const server = createServer((request, response) => {
    proxy.seen.push({ path: request.url ?? '', range: request.headers.range });
    void Promise.resolve(proxy.tamper?.(request, response)).then(
      (answered) => answered || forward(request, response),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    url,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  });
}
