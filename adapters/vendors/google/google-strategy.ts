import { timingSafeEqual } from 'node:crypto';
import type { Agent } from 'node:http';
import {
  Strategy,
  type GoogleCallbackParameters,
  type Profile,
  type VerifyCallback,
} from 'passport-google-oauth20';
import type { SignInSecrets } from '../../../application/accounts/external-sign-in.js';

type Verify = (params: GoogleCallbackParameters, profile: Profile) => object | undefined;
type Request = Parameters<Strategy['authenticate']>[0];

export interface GoogleEndpoints {
  clientId: string;
  clientSecret: string;
  /** Endpoints for tests; absent: Google's own. */
  authUrl?: string;
  tokenUrl?: string;
  userinfoUrl?: string;
}

/** Asks Google when the user signed in there, which may be long ago in an open browser. */
const WANTED_CLAIMS = JSON.stringify({ id_token: { auth_time: { essential: true } } });

/** Outcome of one authentication, in Passport's terms. */
export type Ending =
  | { kind: 'redirect'; url: string }
  | { kind: 'success'; user: object }
  | { kind: 'fail' }
  | { kind: 'error'; error: unknown };

/** Runs without Passport's middleware, which needs a session for its secrets. Before sign-in there is no session. */
export class GoogleStrategy extends Strategy {
  constructor(
    endpoints: GoogleEndpoints,
    redirectUri: string,
    private readonly secrets: SignInSecrets,
    agent: Agent,
    verify: Verify,
  ) {
    super(
      {
        clientID: endpoints.clientId,
        clientSecret: endpoints.clientSecret,
        ...(endpoints.authUrl ? { authorizationURL: endpoints.authUrl } : {}),
        tokenURL: endpoints.tokenUrl ?? 'https://oauth2.googleapis.com/token',
        userProfileURL: endpoints.userinfoUrl ?? 'https://openidconnect.googleapis.com/v1/userinfo',
        callbackURL: redirectUri,
        scope: ['openid', 'email', 'profile'],
        // The type declarations allow only a boolean. Passport uses S256 for `true`.
        pkce: true,
        store: keptIn(secrets),
      },
      (
        _accessToken: string,
        _refreshToken: string,
        params: GoogleCallbackParameters,
        profile: Profile,
        done: VerifyCallback,
      ) => {
        done(null, verify(params, profile) ?? false);
      },
    );
    this._oauth2.setAgent(agent);
    // The access token is sent in a header, because a URL would appear in logs.
    this._oauth2.useAuthorizationHeaderforGET(true);
  }

  override authorizationParams(options: object): object {
    const { nonce } = this.secrets;
    return { ...super.authorizationParams(options), nonce, claims: WANTED_CLAIMS };
  }

  /** Starts the sign-in if the query is empty. Completes it if the query comes from Google's redirect. */
  end(query: Record<string, string>): Promise<Ending> {
    return new Promise((resolve) => {
      Object.assign(this, {
        redirect: (url: string) => resolve({ kind: 'redirect', url }),
        success: (user: object) => resolve({ kind: 'success', user }),
        fail: () => resolve({ kind: 'fail' }),
        error: (error: unknown) => resolve({ kind: 'error', error }),
      });
      this.authenticate({ query } as Request, { prompt: 'select_account' });
    });
  }
}

/** A state store whose secrets the browser keeps. Passport uses PKCE because `store` has five parameters. */
function keptIn(secrets: SignInSecrets) {
  return {
    store(_request: Request, verifier: string, _state: unknown, _meta: unknown, stored: Stored): void {
      secrets.codeVerifier = verifier;
      stored(null, secrets.state);
    },
    verify(_request: Request, state: string, loaded: Loaded): void {
      // A different state may be an attempt to sign the user in to an attacker's account, so it is refused.
      loaded(null, sameText(state, secrets.state) ? secrets.codeVerifier : false, undefined);
    },
  } as unknown as NonNullable<ConstructorParameters<typeof Strategy>[0]['store']>;
}

type Stored = (error: Error | null, state: string) => void;
type Loaded = (error: Error | null, verifier: string | false, state: unknown) => void;

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
