import { randomUUID } from 'node:crypto';
import { faultsOfAnswer } from './contracts.js';
import { valueOnce } from './until.js';

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text if it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sent unchanged, with the given content type. */
  raw?: string | Buffer | FormData;
}

/**
 * A browser as far as HTTP is concerned: it keeps cookies, sends its origin and checks answers against their
 * contracts. With `token` it calls as a script does.
 */
export class HttpClient {
  /** By address of a product: waits until its workers have sent the mails that were ordered. */
  static readonly mailsSent = new Map<string, () => Promise<void>>();
  readonly cookies = new Map<string, string>();
  userId = '';
  email = '';

  constructor(
    readonly url: string,
    readonly token?: string,
  ) {}

  static async signUp(url: string, email = `${randomUUID()}@example.com`): Promise<HttpClient> {
    const client = new HttpClient(url);
    // Derived from the address, so that tests know names, handles and folders.
    const displayName = email.split('@')[0];
    const answer = await client.post('/api/auth/sign-up', {
      email,
      password: 'a fine pass phrase',
      displayName,
    });
    if (answer.status !== 201) throw new Error(`sign-up: ${answer.status} ${JSON.stringify(answer.body)}`);
    client.userId = answer.body.user.id;
    client.email = email;
    return client;
  }

  /** Applies as a creator, and confirms the address, without which nothing is published. @returns the application */
  async becomeCreator(): Promise<HttpAnswer> {
    const answer = await this.post('/api/creator/application', {});
    await this.confirmEmail();
    return answer;
  }

  /** Follows the newest link in the mailbox that confirms this account's address. */
  async confirmEmail(): Promise<void> {
    const newestToken = async () => {
      const mails: { to: string; links: string[] }[] = (await this.get('/dev/mailbox?format=json')).body;
      const links = mails.flatMap(({ to, links }) => (to === this.email ? links : []));
      return links.map((link) => new URL(link).searchParams.get('verify')).find(Boolean);
    };
    // A worker mails the link; after a failure of its connections it needs a moment.
    const token = await valueOnce(newestToken, Boolean);
    const answer = await this.post('/api/auth/verify-email', { token });
    if (answer.status !== 204) throw new Error(`${this.email} was not confirmed: ${answer.status}`);
  }

  get = (path: string, options?: CallOptions) => this.call('GET', path, undefined, options);
  post = (path: string, body?: unknown, options?: CallOptions) => this.call('POST', path, body, options);
  put = (path: string, body?: unknown, options?: CallOptions) => this.call('PUT', path, body, options);
  patch = (path: string, body?: unknown, options?: CallOptions) => this.call('PATCH', path, body, options);
  delete = (path: string, body?: unknown, options?: CallOptions) => this.call('DELETE', path, body, options);

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<HttpAnswer> {
    const headers: Record<string, string> = this.token
      ? { authorization: `Bearer ${this.token}` }
      : { cookie: this.cookieHeader(), origin: this.url };
    if (!headers.cookie) delete headers.cookie;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (path.startsWith('/dev/mailbox')) await HttpClient.mailsSent.get(this.url)?.();
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...options.headers },
      body: (options.raw as BodyInit) ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    this.keepCookies(response);
    const text = await response.text();
    const json = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    const { status } = response;
    const answer = { status, headers: response.headers, body: json ? JSON.parse(text) : text };
    const place = { method, path: new URL(response.url).pathname };
    const faults = faultsOfAnswer(place, status, json ? answer.body : undefined);
    if (faults.length > 0) throw new Error(`An answer is not as its contract says: ${faults.join('; ')}`);
    return answer;
  }

  private cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(at + 1));
    }
  }
}

/** Headers of an idempotent request. */
export const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });
