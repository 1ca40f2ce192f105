import { ipKeyGenerator } from 'express-rate-limit';
import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { RememberedBrowsers, type Device } from '../../application/accounts/sessions/session-store.js';
import {
  BROWSER_COOKIE,
  HOST_PREFIX,
  readCookie,
  SESSION_COOKIE,
  browserCookieOf,
  ProblemException,
  inWords,
  tooManyRequests,
  type HttpRequest,
  type HttpResponse,
} from '../platform/http/request.js';
import {
  hashToken,
  newSecret,
  Sessions,
  type IssuedToken,
} from '../../application/accounts/sessions/sessions.js';
import type { SignedIn } from '../../application/accounts/contract.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in.js';
import { WallClock } from '../../application/shared/clock.js';

const USER_AGENT_MAX_LENGTH = 200;
/** Control characters and non-ASCII bytes. */
const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Describes the device of a new session. @param countryHeader the header in which a proxy sends the country */
export class CallerDevice {
  constructor(private readonly countryHeader: string | undefined) {}

  of({ headers, ip }: HttpRequest): Device {
    const userAgent = (headers['user-agent'] ?? '').replace(UNPRINTABLE, '').slice(0, USER_AGENT_MAX_LENGTH);
    const country = this.countryHeader && headers[this.countryHeader];
    return {
      userAgent: userAgent || null,
      network: ip === undefined ? null : networkOf(ip),
      country: typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null,
    };
  }
}

/** Returns the network of an IP address, which is too wide to identify a household. */
function networkOf(ip: string): string {
  const version4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/.exec(ip);
  return version4 ? `${version4[1]}.0/24` : ipKeyGenerator(ip, 48);
}

/** The cookies of a sign-in at Google: for the attempt, and for an identity that waits for the account's password. */
export const ATTEMPT_COOKIE = 'offcut_google';
export const LINK_COOKIE = 'offcut_link';
/** The cookie of a sign-in that waits for the second factor. */
export const PENDING_COOKIE = 'offcut_pending';
const SIGN_IN_LIFETIME_SECONDS = 10 * 60;

/** Keeps the session token in a cookie that scripts of pages cannot read. */
export class SessionCookie {
  private readonly attributes: string;
  private readonly prefix: string;

  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith('https:');
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    this.prefix = secure ? HOST_PREFIX : '';
  }

  set(response: HttpResponse, { token, expiresAt }: IssuedToken): void {
    this.append(response, SESSION_COOKIE, `${token}; Expires=${expiresAt.toUTCString()}`);
    this.forgetPlain(response);
  }

  clear(response: HttpResponse): void {
    this.append(response, SESSION_COOKIE, '; Max-Age=0');
    this.forgetPlain(response);
  }

  setForSignIn(response: HttpResponse, name: string, value: string): void {
    this.append(response, name, `${value}; Max-Age=${SIGN_IN_LIFETIME_SECONDS}`);
  }

  readForSignIn(request: HttpRequest, name: string): string | undefined {
    return readCookie(request, this.prefix + name);
  }

  clearForSignIn(response: HttpResponse, name: string): void {
    this.append(response, name, '; Max-Age=0');
  }

  setBrowser(response: HttpResponse, token: string): void {
    this.append(response, BROWSER_COOKIE, `${token}; Max-Age=${accountPolicy.rememberedBrowserMs / 1_000}`);
  }

  private append(response: HttpResponse, name: string, rest: string): void {
    response.appendHeader('Set-Cookie', `${this.prefix}${name}=${rest}; ${this.attributes}`);
  }

  /**
   * Deletes the cookie of older versions, whose name has no prefix. After `set`, the session continues in the new
   * cookie.
   */
  private forgetPlain(response: HttpResponse): void {
    if (this.prefix && readCookie(response.req, SESSION_COOKIE) !== undefined)
      response.appendHeader('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${this.attributes}`);
  }
}

export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** Answers requests that start or renew a session, and sets the cookies. */
@Injectable()
export class SignedInAnswer {
  constructor(
    private readonly sessions: Sessions,
    private readonly external: ExternalSignIn,
    private readonly browsers: RememberedBrowsers,
    private readonly cookie: SessionCookie,
    private readonly clock: WallClock,
  ) {}

  /** Answers a sign-in. Links a Google identity that waited for the password of this account. */
  async begun(issued: IssuedToken, response: HttpResponse): Promise<SignedIn> {
    const answer = await this.of(issued, response);
    if (!answer) throw new ProblemException('NotSignedIn');
    await this.remember(answer.user.id, response);
    const linkToken = this.cookie.readForSignIn(response.req, LINK_COOKIE);
    if (linkToken) {
      await this.external.linkAfterPassword(linkToken, answer.user.id);
      this.cookie.clearForSignIn(response, LINK_COOKIE);
    }
    if (this.cookie.readForSignIn(response.req, PENDING_COOKIE))
      this.cookie.clearForSignIn(response, PENDING_COOKIE);
    return answer;
  }

  /** Remembers the browser as the user's, so that strangers who guess the password cause no delay in this browser. */
  async remember(userId: string, response: HttpResponse): Promise<void> {
    const token = browserCookieOf(response.req) ?? newSecret();
    await this.browsers.remember(userId, hashToken(token), this.clock.now());
    this.cookie.setBrowser(response, token);
  }

  /** Sets the session cookie and returns the answer. @returns undefined if the session has ended */
  async of({ token }: IssuedToken, response: HttpResponse): Promise<SignedIn | undefined> {
    const owner = await this.sessions.find(token);
    if (!owner) return undefined;
    const { user, expiresAt } = owner;
    this.cookie.set(response, { token, expiresAt });
    const expiresIn = Math.round((expiresAt.getTime() - this.clock.now().getTime()) / 1_000);
    return {
      user,
      session: { access_token: token, expires_at: unixSeconds(expiresAt), expires_in: expiresIn },
    };
  }
}

/** The answer does not call the code wrong, because the code was not checked. */
export const tooManyCodes = (retryAfterSeconds: number) =>
  tooManyRequests(
    `Too many wrong codes were given for this account. Wait ${inWords(retryAfterSeconds)}, or use a passkey. A browser that sets a new password by mail does not wait.`,
    retryAfterSeconds,
  );
