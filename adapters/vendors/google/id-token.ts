import * as z from 'zod';

const Claims = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  /** Seconds since 1970. */
  exp: z.number(),
  nonce: z.string(),
  /** When the user signed in at the provider, in seconds since 1970; absent if the provider does not report it. */
  auth_time: z.number().int().min(0).max(253_402_300_799).optional().catch(undefined),
});

export interface ExpectedClaims {
  issuers: readonly string[];
  audience: string;
  nonce: string;
  subject: string;
}

/** It comes from the provider over TLS, which replaces a check of its signature (OpenID Connect Core 3.1.3.7). */
export function answerOf(
  idToken: string,
  expected: ExpectedClaims,
  nowMs = Date.now(),
): { authenticatedAt?: Date } | undefined {
  const claims = readClaims(idToken);
  if (!claims) return undefined;
  const isMeant =
    expected.issuers.includes(claims.iss) &&
    [claims.aud].flat().includes(expected.audience) &&
    claims.nonce === expected.nonce &&
    claims.sub === expected.subject &&
    claims.exp * 1_000 > nowMs;
  if (!isMeant) return undefined;
  const { auth_time: seconds } = claims;
  return seconds === undefined ? {} : { authenticatedAt: new Date(seconds * 1_000) };
}

function readClaims(idToken: string): z.infer<typeof Claims> | undefined {
  try {
    const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
    return Claims.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
