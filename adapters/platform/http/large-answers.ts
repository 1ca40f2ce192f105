import compression from 'compression';
import type { Middleware } from './middleware.js';

/** Smaller answers fit into one packet, so compression gains nothing. */
const LARGE_BYTES = 1_024;
const pack = compression({ threshold: LARGE_BYTES });

/** Compresses large answers. The size is only known when the body is sent; until then this costs nothing. */
export const packLarge: Middleware = (request, response, next) => {
  const { write, end } = response;
  const send = (name: 'write' | 'end', isLarge: boolean, given: unknown[]): unknown => {
    Object.assign(response, { write, end });
    if (isLarge && !response.headersSent) pack(request as never, response as never, () => {});
    return (response[name] as (...given: unknown[]) => unknown)(...given);
  };
  Object.assign(response, {
    write: (...given: unknown[]) => send('write', true, given),
    end: (...given: unknown[]) => send('end', lengthOf(given[0]) >= LARGE_BYTES, given),
  });
  next();
};

const lengthOf = (chunk: unknown): number =>
  typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.length : 0;
