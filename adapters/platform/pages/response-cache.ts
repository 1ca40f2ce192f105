import { createHash } from 'node:crypto';
import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Sessions } from '../../../application/accounts/sessions/sessions.js';
import { WallClock } from '../../../application/shared/clock.js';
import { Draining } from '../http/draining.js';
import { bufferResponse } from './buffer-response.js';
import { KnownVersion, freshnessOf, type Made } from './known-version.js';
import { AccessLog } from '../observability/access-log.js';
import { Metrics } from '../observability/metrics.js';
import { OF_ONE_REQUEST, REQUEST_IDS, TRACED_REQUESTS, type Middleware } from '../http/middleware.js';
import type { HttpRequest, HttpResponse } from '../http/request.js';
import { ownerOf } from '../http/session/session.guard.js';
import { pageAddressOf, pageEncodingOf } from './page-address.js';

const KEPT_LIMIT_BYTES = 32 * 1024 * 1024;
const BODY_LIMIT_BYTES = 512 * 1024;

interface Page {
  made: Made;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  etag: string;
  route: string | undefined;
}

/**
 * Answers visitors from memory, before the framework, until the content changes. New download counts appear a little
 * later: one request creates the new answer, and others get the old answer in the meantime. Requests of signed-in
 * users neither read nor fill the cache, so the cache contains no personal data. A request whose cookie or token
 * belongs to no session counts as a visitor's.
 */
@Injectable()
export class ResponseCache {
  private readonly pages = new Map<string, Page>();
  private keptBytes = 0;
  private readonly making = new Map<string, Promise<unknown>>();

  constructor(
    @Inject(KnownVersion) private readonly version: KnownVersion,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(AccessLog) private readonly accessLog: AccessLog,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(WallClock) private readonly clock: WallClock,
    @Inject(Draining) private readonly draining: Draining,
    @Inject(REQUEST_IDS) private readonly requestIds: Middleware,
    @Inject(TRACED_REQUESTS) private readonly tracedRequests: Middleware,
  ) {}

  /** Replaces the framework's listener on the server. Passes requests that the cache cannot answer to the framework. */
  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    const [framework] = (server?.listeners('request') ?? []) as RequestListener[];
    if (!server || !framework) return;
    server.removeAllListeners('request');
    server.on('request', (request: HttpRequest, response: HttpResponse) => {
      const pass = () => framework.call(server, request, response);
      const address = ['GET', 'HEAD'].includes(request.method ?? '')
        ? pageAddressOf(request.url ?? '')
        : undefined;
      if (address === undefined) return pass();
      this.answerVisitor(address, request, response, pass).catch((error: unknown) => {
        new Logger('Pages').warn(`not answered from memory: ${(error as Error).message}`);
        if (!response.headersSent) pass();
      });
    });
  }

  private async answerVisitor(
    address: string,
    request: HttpRequest,
    response: HttpResponse,
    pass: () => void,
  ): Promise<void> {
    // If the session lookup fails, the framework answers with the error.
    const isVisitor = await ownerOf(this.sessions, request).then(
      (owner) => owner === undefined,
      () => false,
    );
    if (!isVisitor) return pass();
    const encoding = pageEncodingOf(String(request.headers['accept-encoding'] ?? ''));
    // The framework must create a complete answer in this encoding. For HEAD, Node omits the body later.
    request.headers['accept-encoding'] = encoding;
    request.method = 'GET';
    return this.answer(`${encoding} ${address}`, request, response, pass);
  }

  private async answer(
    key: string,
    request: HttpRequest,
    response: HttpResponse,
    pass: () => void,
  ): Promise<void> {
    for (;;) {
      const version = await this.version.current();
      const page = this.pages.get(key);
      // While the database does not answer, send the last known answer.
      if (version === undefined) return page ? this.answerWith(page, request, response) : pass();
      const now = this.clock.now().getTime();
      const freshness = page ? freshnessOf(page.made, version, now) : 'outdated';
      const making = this.making.get(`${version.structure} ${key}`);
      if (page && (freshness === 'fresh' || (freshness === 'stale' && making)))
        return this.answerWith(page, request, response);
      if (!making) return this.make(key, { ...version, at: now }, request, response, pass);
      // Another request is creating the answer. If that answer is not cached, pass this request to the framework.
      if ((await making) === undefined) return pass();
    }
  }

  private answerWith(page: Page, request: HttpRequest, response: HttpResponse): void {
    request.route = { path: page.route };
    this.tracedRequests(request, response, () => {});
    this.metrics.observe(request, response, () => {});
    this.requestIds(request, response, () => {});
    this.accessLog.observe(request, response, () => {});
    this.draining.closeConnections(request, response, () => {});
    send(page, request, response);
  }

  private make(
    key: string,
    made: Made,
    request: HttpRequest,
    response: HttpResponse,
    pass: () => void,
  ): void {
    const name = `${made.structure} ${key}`;
    const making = new Promise<Page | undefined>((resolve) => {
      response.once('close', () => resolve(undefined));
      bufferResponse(response, (body, finish) => {
        const page = this.keep(key, made, request, response, body);
        resolve(page);
        if (page) send(page, request, response);
        else finish();
      });
    });
    this.making.set(name, making);
    void making.finally(() => this.making.delete(name));
    pass();
  }

  private keep(
    key: string,
    made: Made,
    request: HttpRequest,
    response: ServerResponse,
    body: Buffer,
  ): Page | undefined {
    const headers = { ...response.getHeaders() };
    const keepable = response.statusCode === 200 && !headers['set-cookie'] && body.length <= BODY_LIMIT_BYTES;
    if (!keepable) return undefined;
    for (const name of OF_ONE_REQUEST) delete headers[name];
    headers['cache-control'] = 'public, no-cache';
    // A CDN may serve an answer for a second, and then a stale answer while it revalidates.
    headers['cdn-cache-control'] = 'max-age=1, stale-while-revalidate=5';
    headers.vary = 'Accept-Encoding, Cookie, Authorization';
    headers['content-length'] = body.length;
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const page = { made, headers, body, etag, route: request.route?.path };
    this.forget(key);
    this.pages.set(key, page);
    this.keptBytes += sizeOf(key, page);
    for (const oldest of this.pages.keys()) {
      if (this.keptBytes <= KEPT_LIMIT_BYTES) break;
      this.forget(oldest);
    }
    return page;
  }

  private forget(key: string): void {
    const page = this.pages.get(key);
    if (page) this.keptBytes -= sizeOf(key, page);
    this.pages.delete(key);
  }
}

const sizeOf = (key: string, { body }: Page): number => key.length + body.length;

function send(page: Page, request: IncomingMessage, response: ServerResponse): void {
  const known = request.headers['if-none-match'];
  for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value as string);
  response.setHeader('etag', page.etag);
  if (known === undefined || !known.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === page.etag)) {
    response.statusCode = 200;
    response.end(page.body);
    return;
  }
  response.statusCode = 304;
  for (const name of ['content-length', 'content-type', 'content-encoding']) response.removeHeader(name);
  response.end();
}
