import { createHash, randomUUID } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { lastValueFrom, of as only, type Observable } from 'rxjs';
import { WallClock } from '../../../application/shared/clock.js';
import { ProblemException, type HttpRequest, type HttpResponse, type Actor } from './request.js';
import { DatabaseAdapter } from '../database/database.js';

interface RequestClaim {
  userId: string;
  key: string;
  /** Method and path. The same key on another route is refused as reused. */
  route: string;
  requestHash: string;
}

interface KeptAnswer {
  status: number;
  answer: unknown;
}

type ClaimOutcome =
  /** `owner` distinguishes this claim from a later claim that takes over. */
  | { kind: 'first'; owner: string }
  | { kind: 'repeated'; kept: KeptAnswer }
  | { kind: 'in flight' }
  | { kind: 'reused' };

/** A request that has no answer after this time counts as lost, because its node has probably died. */
const ABANDONED_AFTER_MS = 60_000;
const KEPT_FOR_MS = 86_400_000;

export class IdempotentRequests extends DatabaseAdapter {
  /** Claims the key for a request. Takes over the claim of a request that got no answer for `ABANDONED_AFTER_MS`. */
  async claim({ userId, key, route, requestHash }: RequestClaim, now: Date): Promise<ClaimOutcome> {
    const { db } = this.database;
    await db
      .deleteFrom('idempotent_request')
      .where('user_id', '=', userId)
      .where('started_at', '<', new Date(now.getTime() - KEPT_FOR_MS))
      .execute();
    const taken = { started_at: now, owner: randomUUID() };
    // Takes over only an abandoned claim of the same request. One statement does all, so that only one caller wins.
    const first = await db
      .insertInto('idempotent_request')
      .values({ user_id: userId, key, route, request_hash: requestHash, ...taken })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'key'])
          .doUpdateSet(taken)
          .where('idempotent_request.status', 'is', null)
          .where('idempotent_request.route', '=', route)
          .where('idempotent_request.request_hash', '=', requestHash)
          .where('idempotent_request.started_at', '<', new Date(now.getTime() - ABANDONED_AFTER_MS)),
      )
      .returning('key')
      .executeTakeFirst();
    if (first) return { kind: 'first', owner: taken.owner };
    const row = await db
      .selectFrom('idempotent_request')
      .select(['route', 'request_hash', 'status', 'answer'])
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    // The first request failed and freed its key between the two statements. The client may try again.
    if (!row) return { kind: 'in flight' };
    if (row.route !== route || row.request_hash !== requestHash) return { kind: 'reused' };
    if (row.status === null) return { kind: 'in flight' };
    return { kind: 'repeated', kept: { status: row.status, answer: row.answer } };
  }

  /** Stores the answer, unless another request took the claim over: then the answer of the new owner counts. */
  async keep({ userId, key }: RequestClaim, owner: string, { status, answer }: KeptAnswer): Promise<void> {
    await this.database.db
      .updateTable('idempotent_request')
      .set({ status, answer: JSON.stringify(answer ?? null) })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('owner', '=', owner)
      .execute();
  }

  /** Frees the key of a request that changed nothing. Does nothing if another request took the claim over. */
  async release({ userId, key }: RequestClaim, owner: string): Promise<void> {
    await this.database.db
      .deleteFrom('idempotent_request')
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('owner', '=', owner)
      .where('status', 'is', null)
      .execute();
  }
}

/**
 * Statuses of refusals by a business rule, which are stored and repeated like other answers. A request that reached
 * no rule (invalid, not signed in, rate-limited, failed) may be sent again with the same key.
 */
const REPEATABLE_REFUSALS = new Set([402, 403, 404, 409, 410, 422]);

/** Answers repeats with the first answer and `Idempotency-Replayed: true`. Stores the answer, so it must be JSON. */
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

/** Returns the id for the object that a request creates. Repeats get the same id, even if the first answer was lost. */
export const idOfRequest = ({ userId }: Actor, key: string): string =>
  createHash('sha256').update(`${userId} ${key.toLowerCase()}`).digest('hex').slice(0, 32);

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
