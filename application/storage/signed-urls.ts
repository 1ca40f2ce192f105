export type SignedUrlVerdict =
  | { ok: true; contentType?: string; downloadName?: string }
  | { ok: false; reason: 'forged' | 'expired' };

/** Verifies requests for URLs that the object storage signed, if this server itself answers them. */
export abstract class SignedUrlVerifier {
  /**
   * @param request `key` decoded; `query` as it came
   * @returns what the signature covers, so that nothing else in the request needs to be trusted
   */
  abstract verify(request: { key: string; query: Readonly<Record<string, unknown>> }): SignedUrlVerdict;
}
