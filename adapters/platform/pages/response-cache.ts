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
import { isLostConnection } from '../../../application/shared/lost-connection.js';
import { CatalogueVersionQueries } from '../../../application/catalogue/queries.js';
import { bufferResponse } from './buffer-response.js';
import { Metrics } from '../observability/metrics.js';
import { requestIds } from '../http/middleware.js';
import { changesState, type HttpRequest, type HttpResponse } from '../http/request.js';
import { ownerOf } from '../http/session/session-owner.js';
import { pageAddressOf, pageEncodingOf } from './page-address.js';

/** Requests that change public answers without an event in the log. */
const CHANGES_PAGES = /^\/api\/(?:me|creator|admin)(?:\/|$)/;
/** Names and pictures of people change without an event; a change by another process shows after this time. */
const LIFETIME_MS = 2_000;
/** The pause before a database that did not answer is asked again. */
const OUTAGE_MS = 1_000;
const KEPT_LIMIT_BYTES = 32 * 1024 * 1024;
const BODY_LIMIT_BYTES = 512 * 1024;

interface Page {
  version: string;
  expiresAt: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  etag: string;
  /** Pattern of the framework's route, for the metrics. */
  route: string | undefined;
}

/**
 * Answers visitors from memory, before the framework: the same bytes as before until an event changes them. Requests
 * of signed-in users neither read nor fill it, so it holds nothing about a person. A cookie or token that names no
 * session makes nobody signed in.
 */
@Injectable()
export class ResponseCache {
  private readonly pages = new Map<string, Page>();
  private keptBytes = 0;
  private readonly making = new Map<string, Promise<unknown>>();
  /** Counts requests that may have changed something without an event in the log. */
  private changes = 0;
  private outageUntil = 0;

  constructor(
    @Inject(CatalogueVersionQueries) private readonly version: CatalogueVersionQueries,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(Sessions) private readonly sessions: Sessions,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  /** Replaces the framework's listener at the server and passes on what is not in memory. */
  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter?.getHttpServer() as Server | undefined;
    const [framework] = (server?.listeners('request') ?? []) as RequestListener[];
    if (!server || !framework) return;
    server.removeAllListeners('request');
    server.on('request', (request: HttpRequest, response: HttpResponse) => {
      const pass = () => framework.call(server, request, response);
      if (changesState(request)) response.once('close', () => this.note(request, response));
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

  /** A request that was refused, or named no route, changed nothing. */
  private note({ route }: HttpRequest, { statusCode }: HttpResponse): void {
    if (statusCode < 400 && CHANGES_PAGES.test(route?.path ?? '')) this.changes += 1;
  }

  /** Differs as soon as public pages may have changed. */
  async state(): Promise<string> {
    return `${await this.version.current()}.${this.changes}`;
  }

  private async answerVisitor(
    address: string,
    request: HttpRequest,
    response: HttpResponse,
    pass: () => void,
  ): Promise<void> {
    // Where nobody can say who calls, the framework answers so.
    const isVisitor = await ownerOf(this.sessions, request).then(
      (owner) => owner === undefined,
      () => false,
    );
    if (!isVisitor) return pass();
    const encoding = pageEncodingOf(String(request.headers['accept-encoding'] ?? ''));
    // What is kept is whole and packed as its name says; Node leaves the body out of an answer to HEAD.
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
      const version = await this.stateOrOutage();
      if (version === undefined) return this.answerAsKnown(key, request, response, pass);
      const page = this.pages.get(key);
      if (page && page.version === version && page.expiresAt > Date.now()) {
        request.route = { path: page.route };
        this.metrics.observe(request, response, () => {});
        requestIds(request, response, () => {});
        return send(page, request, response);
      }
      const making = this.making.get(`${version} ${key}`);
      if (!making) return this.make(key, version, request, response, pass);
      // Another request is making it; if that fails, this one tries.
      if ((await making) === undefined) return pass();
    }
  }

  /** Answers with the last known bytes while the database does not say whether they changed. */
  private answerAsKnown(key: string, request: HttpRequest, response: HttpResponse, pass: () => void): void {
    const page = this.pages.get(key);
    if (!page) return pass();
    request.route = { path: page.route };
    this.metrics.observe(request, response, () => {});
    requestIds(request, response, () => {});
    send(page, request, response);
  }

  /** @returns undefined while the database does not answer */
  private async stateOrOutage(): Promise<string | undefined> {
    if (Date.now() < this.outageUntil) return undefined;
    try {
      return await this.state();
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      this.outageUntil = Date.now() + OUTAGE_MS;
      return undefined;
    }
  }

  /** Lets the framework answer, and keeps the answer. */
  private make(
    key: string,
    version: string,
    request: HttpRequest,
    response: HttpResponse,
    pass: () => void,
  ): void {
    const name = `${version} ${key}`;
    const made = new Promise<Page | undefined>((resolve) => {
      response.once('close', () => resolve(undefined));
      bufferResponse(response, (body, finish) => {
        const page = this.keep(key, version, request, response, body);
        resolve(page);
        if (page) send(page, request, response);
        else finish();
      });
    });
    this.making.set(name, made);
    void made.finally(() => this.making.delete(name));
    pass();
  }

  private keep(
    key: string,
    version: string,
    request: HttpRequest,
    response: ServerResponse,
    body: Buffer,
  ): Page | undefined {
    const headers = { ...response.getHeaders() };
    const keepable = response.statusCode === 200 && !headers['set-cookie'] && body.length <= BODY_LIMIT_BYTES;
    if (!keepable) return undefined;
    delete headers['x-request-id'];
    headers['cache-control'] = 'public, no-cache';
    // A shared cache may be a second behind, and serve a stale answer while it revalidates.
    headers['cdn-cache-control'] = 'max-age=1, stale-while-revalidate=5';
    headers.vary = 'Accept-Encoding, Cookie, Authorization';
    headers['content-length'] = body.length;
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const page = {
      version,
      expiresAt: Date.now() + LIFETIME_MS,
      headers,
      body,
      etag,
      route: request.route?.path,
    };
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
