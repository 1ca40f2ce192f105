import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WallClock } from '../../../application/shared/clock.js';
import { reject } from '../../../domain/shared/decision.js';
import { SignedUrlVerifier, type SignedUrlVerdict } from '../../../application/storage/signed-urls.js';

interface SignedFields {
  key: string;
  expiresAtSeconds: number;
  contentType?: string;
  downloadName?: string;
}

/** Signs URLs `{publicUrl}/media/signed/{key}?expires&type&name&signature`. The signature covers all other parts. */
export class DiskSignedUrls implements SignedUrlVerifier {
  /** @param options.otherKeys more keys whose signatures are valid: former keys, and keys of other nodes */
  constructor(
    private readonly options: {
      publicUrl: string;
      signingKey: Buffer;
      otherKeys?: readonly Buffer[];
      clock: WallClock;
    },
  ) {
    if (options.signingKey.length < 32) throw new RangeError('the signing key needs 32 bytes');
  }

  sign(
    key: string,
    options: { expiresInSeconds: number; contentType?: string; downloadName?: string },
  ): string {
    const { expiresInSeconds, ...promised } = options;
    const expiresAtSeconds = Math.floor(this.options.clock.now().getTime() / 1000) + expiresInSeconds;
    const query = new URLSearchParams({ expires: String(expiresAtSeconds) });
    if (promised.contentType !== undefined) query.set('type', promised.contentType);
    if (promised.downloadName !== undefined) query.set('name', promised.downloadName);
    query.set('signature', signatureOf({ key, expiresAtSeconds, ...promised }, this.options.signingKey));
    const path = key.split('/').map(encodeURIComponent).join('/');
    return `${this.options.publicUrl.replace(/\/$/, '')}/media/signed/${path}?${query}`;
  }

  verify(request: { key: string; query: Readonly<Record<string, unknown>> }): SignedUrlVerdict {
    const { expires, type, name, signature } = request.query;
    const optional = (value: unknown): value is string | undefined =>
      value === undefined || typeof value === 'string';
    // A repeated parameter arrives as a list and was never signed.
    if (typeof expires !== 'string' || typeof signature !== 'string' || !optional(type) || !optional(name))
      return reject({ code: 'Forged' });
    if (!/^\d{1,12}$/.test(expires)) return reject({ code: 'Forged' });
    const promised = { contentType: type, downloadName: name };
    const expiresAtSeconds = Number(expires);
    const fields: SignedFields = { key: request.key, expiresAtSeconds, ...promised };
    const given = Buffer.from(signature);
    const isOurs = [this.options.signingKey, ...(this.options.otherKeys ?? [])].some((secret) => {
      const expected = Buffer.from(signatureOf(fields, secret));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isOurs) return reject({ code: 'Forged' });
    if (this.options.clock.now().getTime() >= expiresAtSeconds * 1000) return reject({ code: 'Expired' });
    return { accepted: true, ...promised };
  }
}

function signatureOf(fields: SignedFields, secret: Buffer): string {
  // JSON keeps the fields apart, whatever they contain. 'GET' is always signed, because earlier versions signed it.
  const message = JSON.stringify([
    'GET',
    fields.key,
    fields.expiresAtSeconds,
    fields.contentType ?? null,
    fields.downloadName ?? null,
  ]);
  return createHmac('sha256', secret).update(message).digest('base64url');
}
