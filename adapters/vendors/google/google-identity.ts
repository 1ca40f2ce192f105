import { randomBytes } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import * as z from 'zod';
import {
  IdentityProvider,
  IdentityProviderUnavailable,
  type ExternalIdentity,
  type SignInSecrets,
} from '../../../application/accounts/external-sign-in.js';
import { GoogleStrategy, type Ending, type GoogleEndpoints } from './google-strategy.js';
import { cutText } from '../../../application/shared/text.js';
import { soughtText } from '../../../application/shared/contract.js';

const ISSUER = 'https://accounts.google.com';
/** Google's identity tokens use either name. */
const ISSUER_NAMES = [ISSUER, 'accounts.google.com'];

const UserInfo = z.object({
  sub: z.string().min(1).max(255),
  email: z.email(),
  // Google returns a boolean; some test servers return text.
  email_verified: z.union([z.boolean(), z.stringbool()]).default(false),
  name: soughtText(1_000).optional().catch(undefined),
});

export class GoogleIdentity implements IdentityProvider {
  private readonly issuer: string;

  constructor(
    private readonly endpoints: GoogleEndpoints,
    private readonly patienceMs: number,
  ) {
    this.issuer = endpoints.authUrl ? new URL(endpoints.authUrl).origin : ISSUER;
  }

  async begin(redirectUri: string): Promise<{ url: string; secrets: SignInSecrets }> {
    const secrets = { state: secret(), nonce: secret(), codeVerifier: '' };
    const ending = await this.authenticate({}, secrets, redirectUri);
    if (ending.kind === 'redirect') return { url: ending.url, secrets };
    throw new IdentityProviderUnavailable('Google’s sign-in did not return a URL', causeOf(ending));
  }

  async identify(answer: { code: string; state: string }, secrets: SignInSecrets, redirectUri: string) {
    const ending = await this.authenticate(answer, secrets, redirectUri);
    if (ending.kind === 'success') return ending.user as ExternalIdentity;
    if (ending.kind === 'error' && !isRefusal(ending.error))
      throw new IdentityProviderUnavailable(
        `Google does not answer as agreed: ${String(ending.error)}`,
        causeOf(ending),
      );
    return undefined;
  }

  /** Adds a time limit and closes the connections. Passport's client waits forever and keeps connections open. */
  private async authenticate(query: Record<string, string>, secrets: SignInSecrets, redirectUri: string) {
    const plain = this.endpoints.tokenUrl?.startsWith('http:') ?? false;
    const agent = plain ? new HttpAgent() : new HttpsAgent();
    const strategy = new GoogleStrategy(this.endpoints, redirectUri, secrets, agent, (params, profile) =>
      this.identityFrom(params.id_token, profile._json, secrets),
    );
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<Ending>((resolve) => {
      const error = new Error(`no answer within ${this.patienceMs} ms`);
      timer = setTimeout(() => resolve({ kind: 'error', error }), this.patienceMs);
    });
    try {
      return await Promise.race([strategy.end(query), tooLate]);
    } finally {
      clearTimeout(timer);
      agent.destroy();
    }
  }

  /** Checks the ID token. @returns undefined if the token is missing, invalid or belongs to another sign-in */
  private identityFrom(idToken: string | undefined, userInfo: unknown, { nonce }: SignInSecrets) {
    const info = UserInfo.parse(userInfo);
    const issuers = [this.issuer, ...ISSUER_NAMES];
    const expected = { issuers, audience: this.endpoints.clientId, nonce, subject: info.sub };
    // Google always sends a token; a test server may omit it.
    const optional = this.endpoints.tokenUrl !== undefined;
    const answer = idToken === undefined ? (optional ? {} : undefined) : answerOf(idToken, expected);
    if (!answer) return undefined;
    return {
      issuer: this.issuer,
      subject: info.sub,
      email: info.email,
      emailVerified: info.email_verified,
      ...answer,
      displayName: info.name?.trim() ? cutText(info.name.trim(), 80) : undefined,
    };
  }
}

const secret = (): string => randomBytes(32).toString('base64url');

/** Returns whether Google refuses the code as used or unknown. Any other refusal is a fault of ours. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'invalid_grant';

const causeOf = (ending: Ending): ErrorOptions | undefined =>
  ending.kind === 'error' ? { cause: ending.error } : undefined;

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

/** Checks the claims only: the ID token came over TLS, so its signature need not be verified (OIDC Core 3.1.3.7). */
function answerOf(
  idToken: string,
  expected: { issuers: readonly string[]; audience: string; nonce: string; subject: string },
): { authenticatedAt?: Date } | undefined {
  const claims = readClaims(idToken);
  if (!claims) return undefined;
  const isMeant =
    expected.issuers.includes(claims.iss) &&
    [claims.aud].flat().includes(expected.audience) &&
    claims.nonce === expected.nonce &&
    claims.sub === expected.subject &&
    claims.exp * 1_000 > Date.now();
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
