import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import {
  type ClaimOutcome,
  type KeptAnswer,
  type RequestClaim,
} from '../../../application/shared/idempotent-requests.js';
import { Database } from '../database/database.js';

/** A request without an answer after this time counts as lost with its node. */
const ABANDONED_AFTER_MS = 60_000;
const KEPT_FOR_MS = 86_400_000;

/** Stores the first answer to each request that must act once, for a day. */
@Injectable()
export class IdempotentRequests {
  constructor(private readonly database: Database) {}

  /**
   * Claims the key for this request. If the request of a claim died, another request can take the claim over after a
   * minute.
   */
  async claim({ userId, key, route, requestHash }: RequestClaim, now: Date): Promise<ClaimOutcome> {
    const { db } = this.database;
    await db
      .deleteFrom('idempotent_request')
      .where('user_id', '=', userId)
      .where('started_at', '<', new Date(now.getTime() - KEPT_FOR_MS))
      .execute();
    const taken = { started_at: now, owner: randomUUID() };
    // Takes over only an abandoned row of the same request. It is one statement, so only one caller wins.
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
    // The row was released between the two statements: the first request failed and may be sent again.
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

  /**
   * Removes the claim of a request that changed nothing, so that it can be retried. Does nothing if another request
   * took it over.
   */
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
