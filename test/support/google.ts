import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Events, OAuth2Server } from 'oauth2-mock-server';
import { expect } from '@jest/globals';
import type { HttpAnswer, HttpClient } from './http-client.js';

/** The person who signs in at Google. */
export interface Person {
  sub: string;
  email: string;
  email_verified: boolean | string;
  name?: string;
}

/** Additional claims of the identity token. A claim that is undefined is left out. */
export type Claims = Record<string, unknown>;

export const locationOf = (answer: HttpAnswer): string => answer.headers.get('location') ?? '';

/**
 * A real OAuth 2 server in Google's place, on a free port: it verifies PKCE, binds nonces to codes and signs
 * tokens.
 */
export class GoogleStandIn {
  private readonly server = new OAuth2Server();
  private person: Person = { sub: 'nobody', email: 'nobody@gmail.example', email_verified: true };
  private claims: Claims = {};
  /** Makes the token endpoint omit the identity token. */
  withoutIdToken = false;
  /** Status codes that the token and userinfo endpoints answer with instead. */
  broken: { token?: number; userinfo?: number } = {};

  async start(): Promise<string> {
    await this.server.issuer.keys.generate('RS256');
    await this.server.start(0, '127.0.0.1');
    const { service } = this.server;
    service.on(Events.BeforeTokenSigning, ({ payload }: { payload: Claims }) => {
      Object.assign(payload, { sub: this.person.sub }, this.claims);
    });
    service.on(Events.BeforeResponse, (response: { body: Claims; statusCode: number }) => {
      if (this.withoutIdToken) delete response.body.id_token;
      if (this.broken.token)
        Object.assign(response, { statusCode: this.broken.token, body: { error: 'down' } });
    });
    service.on(Events.BeforeUserinfo, (response: { body: unknown; statusCode: number }, request) => {
      const authorized = String(request.headers.authorization).startsWith('Bearer ');
      Object.assign(response, {
        body: this.person,
        statusCode: this.broken.userinfo ?? (authorized ? 200 : 401),
      });
    });
    return String(this.server.issuer.url);
  }

  /** Restores the state for the next test. */
  reset(): void {
    this.withoutIdToken = false;
    this.broken = {};
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  /** Sets the person who signs in from now on, and additional claims of the identity tokens. */
  signsIn(person: Person, claims: Claims = {}): void {
    this.person = person;
    this.claims = claims;
  }

  /** Signs in at Google with immediate consent. @returns the address to which Google redirects the browser */
  async consent(signInPage: string, person: Person, claims: Claims = {}): Promise<URL> {
    this.signsIn(person, claims);
    const answer = await fetch(signInPage, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    return new URL(String(answer.headers.get('location')));
  }

  /** Performs the whole sign-in: to Google, through its page, and back. */
  async through(
    browser: HttpClient,
    person: Person,
    options: { returnTo?: string; claims?: Claims } = {},
  ): Promise<HttpAnswer> {
    const left = await browser.get(
      `/api/auth/google/start?${new URLSearchParams({ returnTo: options.returnTo ?? '/sounds?q=1' })}`,
    );
    expect(left.status).toBe(303);
    const back = await this.consent(locationOf(left), person, options.claims);
    return browser.get(back.pathname + back.search);
  }
}

/** Starts a server that accepts requests and never answers. */
export async function startSilence(): Promise<{ url: string; server: Server }> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
