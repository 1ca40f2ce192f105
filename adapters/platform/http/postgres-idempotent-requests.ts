import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import {
  IdempotentRequests,
  type ClaimOutcome,
  type KeptAnswer,
  type RequestClaim,
} from '../../../application/shared/idempotent-requests.js';
import { Database } from '../database/database.js';

/** A request still without an answer after this long died with its node. */
const ABANDONED_AFTER = '1 minute';
const KEPT_FOR = '24 hours';

interface Row {
  route: string;
  request_hash: string;
  status: number | null;
  answer: unknown;
}

@Injectable()
export class PostgresIdempotentRequests extends IdempotentRequests {
  constructor(private readonly database: Database) {
    super();
  }

  async claim({ userId, key, route, requestHash }: RequestClaim, now: Date): Promise<ClaimOutcome> {
    const { pool } = this.database;
    await pool.query(
      `delete from idempotent_request where user_id = $1 and started_at < $2::timestamptz - $3::interval`,
      [userId, now, KEPT_FOR],
    );
    const owner = randomUUID();
    // The row is taken over only when it is the same request, abandoned: one statement, so one winner.
    const claimed = await pool.query(
      `insert into idempotent_request (user_id, key, route, request_hash, started_at, owner)
       values ($1, $2, $3, $4, $5, $7)
       on conflict (user_id, key) do update set started_at = excluded.started_at, owner = excluded.owner
        where idempotent_request.status is null
          and idempotent_request.route = excluded.route
          and idempotent_request.request_hash = excluded.request_hash
          and idempotent_request.started_at < excluded.started_at - $6::interval`,
      [userId, key, route, requestHash, now, ABANDONED_AFTER, owner],
    );
    if (claimed.rowCount === 1) return { kind: 'first', owner };
    const { rows } = await pool.query<Row>(
      'select route, request_hash, status, answer from idempotent_request where user_id = $1 and key = $2',
      [userId, key],
    );
    const row = rows[0];
    // Released between the two statements: its first request was refused and may be sent again.
    if (!row) return { kind: 'in flight' };
    if (row.route !== route || row.request_hash !== requestHash) return { kind: 'reused' };
    if (row.status === null) return { kind: 'in flight' };
    return { kind: 'repeated', kept: { status: row.status, answer: row.answer } };
  }

  async keep({ userId, key }: RequestClaim, owner: string, { status, answer }: KeptAnswer): Promise<void> {
    await this.database.pool.query(
      'update idempotent_request set status = $4, answer = $5 where user_id = $1 and key = $2 and owner = $3',
      [userId, key, owner, status, JSON.stringify(answer ?? null)],
    );
  }

  async release({ userId, key }: RequestClaim, owner: string): Promise<void> {
    await this.database.pool.query(
      'delete from idempotent_request where user_id = $1 and key = $2 and owner = $3 and status is null',
      [userId, key, owner],
    );
  }
}
