import { afterEach, expect } from '@jest/globals';
import { usualStatus, type EndpointKey } from '../../../application/shared/endpoint.js';
import { PROBLEMS, type ProblemCode } from '../../../application/shared/problems.js';
import {
  endpointAt,
  exampleAnswer,
  exampleMembers,
  faultsOfAnswer,
  faultsOfRequest,
} from '../../support/contracts.js';

/** Breaches of contracts since the last test. */
const faults: string[] = [];
export const takeFaults = (): string[] => faults.splice(0);
afterEach(() => expect(takeFaults()).toEqual([]));

/** One request as the stubbed server receives it. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Record<string, string>;
}

/**
 * An answer of the stubbed server: JSON unless `blob` is given. Without `status`, the usual one of the
 * contract. An empty object means the example of the contract.
 */
export interface StubAnswer {
  status?: number;
  json?: unknown;
  blob?: Blob;
  type?: ResponseType;
  /** The body begins and never ends. */
  stalls?: boolean;
  /** The connection is lost while the body arrives. */
  breaks?: boolean;
  /** The answer of a proxy, which knows no contracts. */
  foreign?: boolean;
}

/** Returns the example of the contract with these changes. */
export function exampleWith(key: EndpointKey, more: object): StubAnswer {
  const [method, path] = key.split(' ') as [string, string];
  const { status, json } = exampleAnswer({ method, path });
  return { status, json: { ...(json as object), ...more } };
}

/** Returns the answer of `GET /api/creator`: an approved creator, unless `more` has other fields. */
export const creatorWith = (more: object = {}): StubAnswer =>
  exampleWith('GET /api/creator', {
    status: 'approved',
    reason: null,
    handle: 'Junie_Okafor',
    displayName: 'Junie Okafor',
    hasConfirmedEmail: true,
    ...more,
  });

/** Returns a refusal as the server writes it. */
export function refused(code: ProblemCode, members: object = {}): StubAnswer {
  const [status, title] = PROBLEMS[code];
  return { status, json: { title, status, code, ...exampleMembers(code), ...members } };
}

type Handler = StubAnswer | ((request: SeenRequest) => StubAnswer | Promise<StubAnswer>);

function responseOf(
  { status, json, blob, stalls, breaks, type = 'basic' }: StubAnswer & { status: number },
  businessTime = new Date().toISOString(),
): Response {
  const bodyOf = <Body>(body: Body): Promise<Body> =>
    breaks ? Promise.reject(new TypeError('network error')) : Promise.resolve(body);
  return {
    ok: status >= 200 && status < 300,
    status,
    type,
    headers: { get: (name: string) => (name === 'business-time' ? businessTime : null) },
    json: () => bodyOf(json ?? {}),
    blob: () => (stalls ? new Promise(() => undefined) : bodyOf(blob ?? new Blob(['bytes']))),
  } as unknown as Response;
}

const matches = (pattern: string, request: SeenRequest) =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(`${request.method} ${request.path}`);

/**
 * Replaces the network: answers `fetch` by "METHOD /path/:parameter" and records every request. An unexpected
 * request gets 404. A test fails if a request or an answer breaks its contract.
 */
export class StubServer {
  readonly requests: SeenRequest[] = [];
  /** The business calendar that each answer states. Default: the clock of the test. */
  businessTime: string | undefined;
  private readonly routes = new Map<string, Handler>();

  /** Replaces `fetch`. */
  constructor(routes: Record<string, Handler> = {}) {
    for (const [pattern, handler] of Object.entries(routes)) this.on(pattern, handler);
    globalThis.fetch = (input, init) => this.answer(String(input), init ?? {});
  }

  on(pattern: string, handler: Handler): this {
    this.routes.set(pattern, handler);
    return this;
  }

  /** Returns the requests to one route so far. */
  seen(pattern: string): SeenRequest[] {
    return this.requests.filter((request) => matches(pattern, request));
  }

  private async answer(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address, 'http://localhost');
    const request: SeenRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
      headers: { ...(init.headers as Record<string, string>) },
    };
    this.requests.push(request);
    const endpoint = endpointAt(request);
    if (!endpoint && request.path.startsWith('/api/'))
      faults.push(`${request.method} ${request.path} has no contract`);
    faults.push(...faultsOfRequest(request));
    const handler = [...this.routes].find(([pattern]) => matches(pattern, request))?.[1];
    if (!handler) return responseOf({ status: 404, json: { code: 'NotFound', title: 'Not found' } });
    const given = typeof handler === 'function' ? await handler(request) : handler;
    const isEmpty = Object.keys(given).length === 0;
    const usual = isEmpty ? exampleAnswer(request) : { status: endpoint ? usualStatus(endpoint) : 200 };
    const answer = { ...usual, ...given };
    // A redirect that is not followed has no visible content.
    if (!answer.foreign && answer.type !== 'opaqueredirect')
      faults.push(...faultsOfAnswer(request, answer.status, answer.json));
    return responseOf(answer, this.businessTime);
  }
}

/** A file request through `XMLHttpRequest`, which the replacement of `fetch` answers. */
class FileRequest extends EventTarget {
  status = 0;
  response: unknown = null;
  responseType = '';
  private address = '';
  open(_method: string, address: string): void {
    this.address = address;
  }
  abort(): void {
    this.end('abort');
  }
  send(): void {
    const answered = fetch(this.address).then(async (answer) => {
      this.status = answer.status;
      this.dispatchEvent(new Event('progress'));
      this.response = await answer.blob();
    });
    answered.then(
      () => this.end('load'),
      () => this.end('error'),
    );
  }
  private end(how: string): void {
    this.dispatchEvent(new Event(how));
    this.dispatchEvent(new Event('loadend'));
  }
}

/** Makes the stub server answer file requests too. */
export function takeFiles(): void {
  globalThis.XMLHttpRequest = FileRequest as unknown as typeof XMLHttpRequest;
}
