import type { Outcome } from '../../domain/shared/decision.js';

export type SignedUrlVerdict = Outcome<
  { contentType?: string; downloadName?: string },
  { code: 'Forged' | 'Expired' }
>;

/** Verifies URLs that the object storage signed, if this server serves them itself. */
export abstract class SignedUrlVerifier {
  /** `key` is decoded. The caller must use the returned values, because the rest of the request is not signed. */
  abstract verify(request: { key: string; query: Readonly<Record<string, unknown>> }): SignedUrlVerdict;
}
