import { accountPolicy } from '../../domain/accounts/policy.js';
import type { IssuedToken } from '../../application/accounts/sessions/sessions.js';
import {
  BROWSER_COOKIE,
  HOST_PREFIX,
  readCookie,
  SESSION_COOKIE,
  type HttpRequest,
  type HttpResponse,
} from '../platform/http/request.js';

/** Cookies for the time at Google, and while a Google identity waits for the account's password. */
export const ATTEMPT_COOKIE = 'offcut_google';
export const LINK_COOKIE = 'offcut_link';
/** The cookie for the time between the password and the second factor. */
export const PENDING_COOKIE = 'offcut_pending';
const SIGN_IN_LIFETIME_SECONDS = 10 * 60;

/** Stores the session token in a cookie that page scripts cannot read. */
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

  /** Sets a cookie for the few minutes of a sign-in. */
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

  /** Deletes the cookie that older versions set without the prefix. The session continues under the new name. */
  private forgetPlain(response: HttpResponse): void {
    if (this.prefix && readCookie(response.req, SESSION_COOKIE) !== undefined)
      response.appendHeader('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${this.attributes}`);
  }
}
