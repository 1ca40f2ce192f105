import type { IssuedToken } from '../../application/accounts/sessions.js';
import { SESSION_COOKIE, type HttpResponse } from './request.js';

/** Puts the session's token where scripts of a page cannot read it. */
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
}
