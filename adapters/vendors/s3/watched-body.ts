import { Readable } from 'node:stream';

/** The body broke off: an error of whoever sends it, not of the storage. */
export class BodyFailed extends Error {}

/** The same body, which remembers whether it failed itself. */
export function watched(body: Readable | Buffer): { body: Readable | Buffer; failure?: BodyFailed } {
  if (Buffer.isBuffer(body)) return { body };
  const source: { body: Readable; failure?: BodyFailed } = { body: Readable.from(pass()) };
  async function* pass(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
    } catch (error) {
      source.failure = new BodyFailed('the body failed', { cause: error });
      throw error;
    }
  }
  return source;
}
