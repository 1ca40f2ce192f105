import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { handlersIn } from '../http/endpoint-of.js';
import { ProblemException, refuse } from '../http/problem-exception.js';
import type { PageQuestion } from '../../../application/pages/contract.js';

/** The API's answer; `moved` if the request used a former address. */
export type VisitorAnswer = { status: 200; body: unknown; moved: boolean } | { status: 404 | 410 };

/** Calls the handlers of endpoints as a visitor, without HTTP. */
@Injectable()
export class VisitorAnswers {
  private handlers: ReturnType<typeof handlersIn> | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  async ask(asked: Pick<PageQuestion, 'key' | 'params' | 'query'>, moved = false): Promise<VisitorAnswer> {
    this.handlers ??= handlersIn(this.discovery);
    const { endpoint, handle } = this.handlers.get(asked.key) ?? {};
    if (!endpoint?.sameForVisitors || !handle) throw new Error(`no visitor may ask ${asked.key}`);
    const response = { statusCode: 200, setHeader: () => undefined };
    const query = endpoint.query?.parse(asked.query);
    try {
      const body = await handle({ params: asked.params, query, response, refuse });
      if (response.statusCode !== 301) return { status: 200, body, moved };
      const { redirect } = body as { redirect: string };
      return await this.ask({ ...asked, params: paramsIn(endpoint.path, redirect) }, true);
    } catch (error) {
      if (error instanceof ProblemException && (error.status === 404 || error.status === 410))
        return { status: error.status };
      throw error;
    }
  }
}

/** Returns the values of the `:names` in a path template. */
function paramsIn(template: string, path: string): Record<string, string> {
  const said = path.split('/');
  const names = template.split('/').map((part, at) => [part, decodeURIComponent(said[at] ?? '')] as const);
  return Object.fromEntries(
    names.flatMap(([part, value]) => (part.startsWith(':') ? [[part.slice(1), value]] : [])),
  );
}
