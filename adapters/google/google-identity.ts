import * as z from 'zod';
import {
  IdentityProvider,
  IdentityProviderUnavailable,
  type ExternalIdentity,
} from '../../application/ports/identity-provider.js';

const ISSUER = 'https://accounts.google.com';
const PATIENCE_MS = 10_000;

const Tokens = z.object({ access_token: z.string().min(1) });
const UserInfo = z.object({
  sub: z.string().min(1).max(255),
  email: z.email(),
  // Google answers a boolean; some stand-ins a text.
  email_verified: z.union([z.boolean(), z.stringbool()]).default(false),
  name: z.string().optional(),
});

export interface GoogleOptions {
  clientId: string;
  clientSecret: string;
  /** Endpoints, for tests; Google's own when absent. */
  authUrl?: string;
  tokenUrl?: string;
  userinfoUrl?: string;
}

export class GoogleIdentity extends IdentityProvider {
  constructor(private readonly options: GoogleOptions) {
    super();
  }

  authorizationUrl(request: { state: string; codeChallenge: string; redirectUri: string }): string {
    const url = new URL(this.options.authUrl ?? 'https://accounts.google.com/o/oauth2/v2/auth');
    const parameters = {
      response_type: 'code',
      client_id: this.options.clientId,
      redirect_uri: request.redirectUri,
      scope: 'openid email profile',
      state: request.state,
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
      prompt: 'select_account',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  async identify(request: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<ExternalIdentity | undefined> {
    const answer = await this.call(this.options.tokenUrl ?? 'https://oauth2.googleapis.com/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: request.code,
        code_verifier: request.codeVerifier,
        redirect_uri: request.redirectUri,
        client_id: this.options.clientId,
        client_secret: this.options.clientSecret,
      }),
    });
    if (answer.status === 400 || answer.status === 401) return undefined;
    const { access_token: token } = await read(answer, Tokens);
    // Straight from Google over TLS, so its word needs no signature to be checked.
    const info = await read(
      await this.call(this.options.userinfoUrl ?? 'https://openidconnect.googleapis.com/v1/userinfo', {
        headers: { authorization: `Bearer ${token}` },
      }),
      UserInfo,
    );
    return {
      issuer: ISSUER,
      subject: info.sub,
      email: info.email,
      emailVerified: info.email_verified,
      ...(info.name?.trim() ? { displayName: info.name.trim().slice(0, 80) } : {}),
    };
  }

  private async call(url: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
    } catch (error) {
      throw new IdentityProviderUnavailable(`${new URL(url).host} does not answer`, { cause: error });
    }
  }
}

async function read<Shape>(answer: Response, shape: z.ZodType<Shape>): Promise<Shape> {
  const body: unknown = await answer.json().catch(() => undefined);
  const parsed = shape.safeParse(body);
  if (answer.ok && parsed.success) return parsed.data;
  throw new IdentityProviderUnavailable(
    `${new URL(answer.url).host} answered ${answer.status}, not as agreed`,
  );
}
