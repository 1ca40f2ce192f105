import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Points at which a plan change can stop: before the provider gets it, after it acted, after it answered. */
export const MARKS = ['reserved', 'charged', 'answered'] as const;
export type Mark = (typeof MARKS)[number];

/** A proxy to the provider that stops a plan change for good at a mark. */
export interface MarkedStripe {
  url: string;
  /** Resolves when the next change has reached the mark. The change stays there for good. */
  stopAt(mark: Mark): Promise<void>;
  close(): Promise<void>;
}

const CHANGE = /^\/v1\/subscriptions\/[^/]+$/;
const HANDED_ON = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'];

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function startMarkedStripe(target: string): Promise<MarkedStripe> {
  let stop: { mark: Mark; charged: boolean; reached: () => void } | null = null;
  /** Whether this call is the one to stop at. `when`: before or after the proxy forwarded it. */
  const stops = (method: string, path: string, when: 'before' | 'after'): boolean => {
    if (!stop || !CHANGE.test(path)) return false;
    const { mark, charged } = stop;
    if (method === 'POST') {
      if (when === 'after') stop.charged = true;
      return (mark === 'reserved' && when === 'before') || (mark === 'charged' && when === 'after');
    }
    return mark === 'answered' && charged && when === 'before';
  };
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const path = url.split('?')[0] as string;
    const halt = (): void => {
      stop?.reached();
      stop = null;
    };
    void (async () => {
      const body = await bodyOf(request);
      if (stops(method, path, 'before')) return halt();
      const headers = Object.fromEntries(
        HANDED_ON.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
      );
      const answer = await fetch(`${target}${url}`, {
        method,
        headers,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const answered = Buffer.from(await answer.arrayBuffer());
      if (stops(method, path, 'after')) return halt();
      const type = answer.headers.get('content-type') ?? 'application/json';
      response.writeHead(answer.status, { 'content-type': type }).end(answered);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopAt: (mark) =>
      new Promise((reached) => {
        stop = { mark, charged: false, reached };
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
