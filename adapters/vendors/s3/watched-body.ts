import { Readable } from 'node:stream';

/** The body failed: an error of its sender, not of the storage. */
export class BodyFailed extends Error {}

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
