import type { IssuedToken } from '../../application/accounts/sessions.js';
import { SESSION_COOKIE, type HttpResponse } from '../platform/http/request.js';

/** The cookie while the browser is at Google, and while a Google identity waits for a password. */
export const ATTEMPT_COOKIE = 'offcut_google';
export const LINK_COOKIE = 'offcut_link';
const SIGN_IN_LIFETIME_SECONDS = 10 * 60;

/** Stores the session's token where scripts of a page cannot read it. */
export class SessionCookie {
  private readonly attributes: string;

  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${secure}`;
  }

  set(response: HttpResponse, { token, expiresAt }: IssuedToken): void {
    response.appendHeader(
      'Set-Cookie',
      `${SESSION_COOKIE}=${token}; Expires=${expiresAt.toUTCString()}; ${this.attributes}`,
    );
  }

  clear(response: HttpResponse): void {
    response.appendHeader('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${this.attributes}`);
  }

  /** A cookie of the few minutes that signing in takes. */
  setForSignIn(response: HttpResponse, name: string, value: string): void {
    response.appendHeader(
      'Set-Cookie',
      `${name}=${value}; Max-Age=${SIGN_IN_LIFETIME_SECONDS}; ${this.attributes}`,
    );
  }

  clearForSignIn(response: HttpResponse, name: string): void {
    response.appendHeader('Set-Cookie', `${name}=; Max-Age=0; ${this.attributes}`);
  }
}
