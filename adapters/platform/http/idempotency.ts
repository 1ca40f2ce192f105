import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { lastValueFrom, of as only, type Observable } from 'rxjs';
import { WallClock } from '../../../application/shared/clock.js';
import { type RequestClaim } from '../../../application/shared/idempotent-requests.js';
import { IdempotentRequests } from './idempotent-requests.js';
import type { Actor } from './actor.js';
import { ProblemException } from './problem-exception.js';
import type { HttpRequest, HttpResponse } from './request.js';

/**
 * A refusal by a rule is an answer and is repeated like any other. A request that reached no rule (invalid, not
 * signed in, rate-limited, failed) may be sent again with the same key.
 */
const REPEATABLE_REFUSALS = new Set([402, 403, 404, 409, 410, 422]);

/**
 * Runs an idempotent endpoint once per key and user. Answers repeats with the first answer and `Idempotency-Replayed:
 * true`. The answer must be plain JSON.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly requests: IdempotentRequests,
    private readonly clock: WallClock,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown> | never> {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const response = context.switchToHttp().getResponse<HttpResponse>();
    const claim = claimOf(request);
    const outcome = await this.requests.claim(claim, this.clock.now());
    if (outcome.kind === 'reused') throw new ProblemException('IdempotencyKeyReused');
    if (outcome.kind === 'in flight')
      throw new ProblemException('IdempotencyInFlight', {}, { 'Retry-After': '1' });
    if (outcome.kind === 'repeated') return replay(outcome.kept, response);
    return this.runOnce(claim, outcome.owner, response, next);
  }

  private async runOnce(claim: RequestClaim, owner: string, response: HttpResponse, next: CallHandler) {
    let answer: unknown;
    try {
      answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      if (error instanceof ProblemException && REPEATABLE_REFUSALS.has(error.status)) {
        const { code, details } = error;
        await this.requests.keep(claim, owner, { status: error.status, answer: { code, details } });
      } else {
        await this.requests.release(claim, owner);
      }
      throw error;
    }
    await this.requests.keep(claim, owner, { status: response.statusCode, answer });
    return only(answer);
  }
}

function replay(kept: { status: number; answer: unknown }, response: HttpResponse): Observable<unknown> {
  const replayed = { 'Idempotency-Replayed': 'true' };
  if (kept.status >= 400) {
    const { code, details } = kept.answer as Pick<ProblemException, 'code' | 'details'>;
    throw new ProblemException(code, details, replayed);
  }
  response.statusCode = kept.status;
  response.setHeader('Idempotency-Replayed', 'true');
  return only(kept.answer);
}

function claimOf(request: HttpRequest): RequestClaim {
  const { actor } = request;
  if (!actor) throw new Error('An idempotent route needs a session');
  return {
    userId: actor.userId,
    key: (request.headers['idempotency-key'] as string).toLowerCase(),
    route: `${request.method} ${request.originalUrl}`,
    requestHash: hashBody(request.body),
  };
}

/** Returns the id of what a request creates. It is the same for each repeat, even if the first answer was lost. */
export const idOfRequest = ({ userId }: Actor, key: string): string =>
  createHash('sha256').update(`${userId} ${key.toLowerCase()}`).digest('hex').slice(0, 32);

/** Returns the SHA-256 of a body; the order of members does not matter. */
export function hashBody(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body)) ?? '')
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
