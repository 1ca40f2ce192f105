import { afterEach, expect } from '@jest/globals';
import { exampleAnswer, faultsOfAnswer, faultsOfRequest } from '../../support/contracts.js';

/** What is held to its contract. */
const HELD = /^\/api\/(library\/(saved|history|downloads)$|downloads$)/;

/** What broke its contract since the last test. */
const faults: string[] = [];
afterEach(() => expect(faults.splice(0)).toEqual([]));

/** One request as the stubbed server sees it. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Record<string, string>;
}

/**
 * What the stubbed server answers: JSON unless `blob` is given. `status` is 200 when left out. An empty object stands for
 * what the contract gives as an example.
 */
export interface StubAnswer {
  status?: number;
  json?: unknown;
  blob?: Blob;
  type?: ResponseType;
}

type Handler = StubAnswer | ((request: SeenRequest) => StubAnswer | Promise<StubAnswer>);

function responseOf({ status = 200, json, blob, type = 'basic' }: StubAnswer): Response {
  return {
    ok: status >= 200 && status < 300,
    status,
    type,
    headers: { get: () => null },
    json: () => Promise.resolve(json ?? {}),
    blob: () => Promise.resolve(blob ?? new Blob(['bytes'])),
  } as unknown as Response;
}

const matches = (pattern: string, request: SeenRequest) =>
  new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(`${request.method} ${request.path}`);

/**
 * Stands in for the network: answers `fetch` by "METHOD /path/:parameter" and keeps every request. An unexpected one
 * answers 404. A test fails when a request or an answer of what is held to its contract is not as that says.
 */
export class StubServer {
  readonly requests: SeenRequest[] = [];
  private readonly routes = new Map<string, Handler>();

  /** Puts itself in place of `fetch`. */
  constructor(routes: Record<string, Handler> = {}) {
    for (const [pattern, handler] of Object.entries(routes)) this.on(pattern, handler);
    globalThis.fetch = (input, init) => this.answer(String(input), init ?? {});
  }

  /** Adds or replaces a route. */
  on(pattern: string, handler: Handler): this {
    this.routes.set(pattern, handler);
    return this;
  }

  /** The requests to one route so far. */
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
    const handler = [...this.routes].find(([pattern]) => matches(pattern, request))?.[1];
    if (!handler)
      return responseOf({ status: 404, json: { code: 'NotFound', title: 'There is nothing here' } });
    const given = typeof handler === 'function' ? await handler(request) : handler;
    const answer = Object.keys(given).length === 0 ? exampleAnswer(request) : given;
    if (HELD.test(request.path))
      faults.push(...faultsOfRequest(request), ...faultsOfAnswer(request, answer.status ?? 200, answer.json));
    return responseOf(answer);
  }
}
