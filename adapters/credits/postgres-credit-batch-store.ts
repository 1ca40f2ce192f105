/** Raw SQL: PostgreSQL plans a named statement once per connection, which makes purchases faster. */
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Clock } from '../../application/shared/clock.js';
import {
  CreditBatch,
  requestKey,
  type PurchaseOutcome,
  type DecidedRequest,
} from '../../application/credits/credit-batch.js';
import {
  accountHolder,
  CreditBatchStore,
  type BatchCommand,
} from '../../application/credits/credit-executor.js';
import { DatabaseUnavailable, NewerVersionRuns } from '../../application/shared/unavailable.js';
import { giftAccountOf } from '../../domain/credits/gift.js';
import { purchaseDecider, type Purchase, type SampleOnOffer } from '../../domain/purchases/purchase.js';
import type { PackPrice } from '../../domain/shared/pack-price.js';
import {
  accountFromRow,
  accountParameters,
  creditRows,
  credits as creditsProjection,
  grantParameters,
  lineParameters,
  writeAccounts,
  writeGrants,
  writeLines,
  type AccountRow,
  type AccountSql,
} from './credits.js';
import { arrayParameters, binaryArrays } from '../platform/database/binary-arrays.js';
import { isLostConnection } from '../platform/database/lost-connection.js';
import type { Database } from '../platform/database/database.js';
import {
  appendedAfter,
  chainHashes,
  holdHead,
  insertEvents,
  insertParameters,
  LOG_END,
  NOTIFY,
  prepareEvents,
  type Appended,
  type Head,
} from '../platform/event-log/log-writer.js';
import type { PostgresEventStore } from '../platform/event-log/postgres-event-store.js';
import { readCorrectionFacts } from './correction-facts.js';
import { traced } from '../platform/observability/tracing.js';
import { NEWER_VERSION, refuseNewer } from '../platform/projections/inline-versions.js';
import { ownedRows, ownedSamples, writeOwnedRows } from '../purchases/owned-samples.js';

const ATTEMPTS = 3;

/** PostgreSQL's codes for unique violation, serialization failure and deadlock: another process wrote first. Retry. */
const RETRYABLE = new Set(['23505', '40001', '40P01']);

/**
 * How long all batches take locks after a conflict with another process, because another attempt without locks may
 * also fail.
 */
const CROWDED_MS = 1_000;

interface ReadBatch {
  batch: CreditBatch;
  accountsBefore: ReadonlyMap<string, AccountRow>;
  head: Head;
}

/**
 * The purchase path. Each batch is read, decided and written in one transaction: four statements and a commit, in three
 * round trips.
 *
 * All writers of credits take locks in the same order, so no deadlock occurs: first the accounts, sorted by user; then
 * the other rows of the batch; last the end of the log, until the commit. Rows that need no log position are written
 * before the log is locked, so that two batches can overlap.
 *
 * While no other batch runs in this process, a single purchase is read and decided without locks: one statement reads
 * and another writes. The second statement writes nothing if the
 * log has grown since the first.
 */
export class PostgresCreditBatchStore implements CreditBatchStore {
  private running = 0;
  private crowdedUntilMs = 0;

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly clock: Clock,
  ) {}

  /** The span belongs to the trace of the first command, although all commands of the batch wait for it. */
  transact<Result>(commands: readonly BatchCommand[], decide: (batch: CreditBatch) => Result) {
    const attributes = { kind: 'internal', commands: commands.length } as const;
    return traced('credit batch', attributes, () => this.runBatch(commands, decide));
  }

  private async runBatch<Result>(commands: readonly BatchCommand[], decide: (batch: CreditBatch) => Result) {
    this.running += 1;
    try {
      const { result, appended } =
        (await this.runAlone(commands, decide)) ?? (await this.runLocked(commands, decide));
      if (appended) this.eventStore.announce(appended);
      return result;
    } catch (error) {
      if ((error as { code?: string }).code === NEWER_VERSION) throw new NewerVersionRuns();
      if (isLostConnection(error)) throw new DatabaseUnavailable((error as Error).message, { cause: error });
      throw error;
    } finally {
      this.running -= 1;
    }
  }

  /**
   * Runs a single purchase, which is read and decided without
   * locks. @returns undefined if the batch must run with locks instead
   */
  private async runAlone<Result>(commands: readonly BatchCommand[], decide: (batch: CreditBatch) => Result) {
    const isAlone = this.running === 1 && commands.length === 1 && commands[0]?.type === 'BuySamples';
    if (!isAlone || performance.now() < this.crowdedUntilMs) return undefined;
    const { pipelines } = this.database;
    const read = await readBatch(pipelines, commands, 'unlocked');
    const result = decide(read.batch);
    try {
      return { result, appended: await writeAtOnce(pipelines, read, this.clock.now()) };
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code !== HEAD_MOVED && !RETRYABLE.has(code)) throw error;
      this.crowdedUntilMs = performance.now() + CROWDED_MS;
      return undefined;
    }
  }

  private async runLocked<Result>(commands: readonly BatchCommand[], decide: (batch: CreditBatch) => Result) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.database.pipelinedTransaction(async (client) => {
          const read = await readBatch(client, commands, 'locked');
          const result = decide(read.batch);
          const { appended, last } = await writeUnderLock(client, read, this.clock.now());
          return { result: { result, appended }, last };
        });
      } catch (error) {
        if (attempt === ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }
}

/**
 * Reads all facts of a batch. Each lookup is a LATERAL by key with LIMIT 1, so that its plan fits any number of keys.
 *
 * If PostgreSQL waited for an account's lock, the other rows may be older than that account. A batch decided from old
 * rows violates a unique key (stream and version, sample of a buyer, request, lot), and then runs again.
 */
const readFacts = (lock: 'for update' | ''): string => `
  with account as (
    select user_id, version, balance, lots from credit_account where user_id = any($1::text[]) order by user_id ${lock}
  )
  select
    (select json_agg(account) from account) as accounts,
    (select json_build_object('position', position, 'hash', encode(hash, 'hex')) from (${LOG_END}) as newest) as head,
    (select json_agg(json_build_object('userId', r.user_id, 'key', r.key, 'requestHash', p.request_hash, 'outcome', p.outcome))
       from unnest($2::text[], $3::text[]) as r(user_id, key)
       cross join lateral (select request_hash, outcome from purchase_request q where q.user_id = r.user_id and q.key = r.key limit 1) as p) as requests,
    (select json_agg(json_build_object('buyerId', w.buyer_id, 'sampleId', w.sample_id, 'version', o.version,
                                       'state', json_build_object('status', case when o.returned_at is null then 'Owned' else 'Returned' end,
                                                                  'purchaseId', o.purchase_id, 'certificateId', o.certificate_id,
                                                                  'audioVersion', o.audio_version)))
       from unnest($4::text[], $5::text[]) as w(buyer_id, sample_id)
       cross join lateral (select * from owned_sample s where s.buyer_id = w.buyer_id and s.sample_id = w.sample_id limit 1) as o) as purchases,
    (select json_agg(json_build_object('sampleId', c.sample_id, 'packId', c.pack_id, 'creatorId', c.creator_id, 'priceCredits', c.price_credits,
                                       'audioVersion', c.audio_version, 'fileSha256', c.original_sha256, 'available', c.available,
                                       'takenDown', c.taken_down,
                                       'parts', (select parts from shared_pack h where h.pack_id = c.pack_id)))
       from unnest($6::text[]) as w(sample_id)
       cross join lateral (select * from sample s where s.sample_id = w.sample_id limit 1) as c) as samples,
    (select json_agg(json_build_object('packId', k.pack_id, 'priceCredits', k.price_credits,
                                       'sumCredits', (select coalesce(sum(s.price_credits), 0)::int from sample s where s.pack_id = k.pack_id and s.available)))
       from unnest($8::text[]) as w(pack_id)
       cross join lateral (select pack_id, price_credits from pack p where p.pack_id = w.pack_id and p.price_credits is not null limit 1) as k) as packs,
    (select json_agg(g.lot_id) from unnest($7::text[]) as w(lot_id)
       cross join lateral (select lot_id from credit_grant c where c.lot_id = w.lot_id limit 1) as g) as lots`;

const READ_FACTS = { locked: readFacts('for update'), unlocked: readFacts('') };

/** An array is null if no row was found. */
interface FactsRow {
  head: Head;
  accounts: AccountSql[] | null;
  requests: { userId: string; key: string; requestHash: string; outcome: PurchaseOutcome }[] | null;
  purchases: { buyerId: string; sampleId: string; version: number; state: Purchase }[] | null;
  samples: SampleOnOffer[] | null;
  packs: (PackPrice & { packId: string })[] | null;
  lots: string[] | null;
}

/** Reads all facts that the commands need. Orders need one statement; grants and corrections need more. */
async function readBatch(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
  accounts: 'locked' | 'unlocked',
): Promise<ReadBatch> {
  const orders = commands.filter((command) => command.type === 'BuySamples');
  const grants = commands.filter((command) => command.type === 'GrantCredits');
  const returns = commands.filter((command) => command.type === 'ReturnPurchase');
  const gifts = commands.filter((command) => command.type === 'HandOverGift');
  const recoveries = commands.filter((command) => command.type === 'RecoverPurchase');
  const keyed = orders.flatMap(({ buyerId, idempotency }) =>
    idempotency ? [{ buyerId, key: idempotency.key }] : [],
  );
  const wanted = [
    ...orders.flatMap(({ buyerId, items }) => items.map(({ sampleId }) => ({ buyerId, sampleId }))),
    ...returns.map(({ purchase: { buyerId, sampleId } }) => ({ buyerId, sampleId })),
    ...recoveries.map(({ accepted: { buyerId, sampleId } }) => ({ buyerId, sampleId })),
  ];
  if (grants.length > 0) {
    // Only an existing row can be locked, so the first grant of a user creates an empty account.
    await client.query(
      `insert into credit_account (user_id, version, balance, lots) select distinct u, 0, 0, '[]'::jsonb from unnest($1::text[]) as u order by u on conflict do nothing`,
      [grants.map(({ grant }) => grant.userId)],
    );
  }
  const { text } = binaryArrays;
  const found = await client.query<FactsRow>({
    name: `read-credit-batch-${accounts}`,
    text: READ_FACTS[accounts],
    values: [
      text([
        ...new Set([...commands.map(accountHolder), ...gifts.map(({ giftId }) => giftAccountOf(giftId))]),
      ]),
      text(keyed.map(({ buyerId }) => buyerId)),
      text(keyed.map(({ key }) => key)),
      text(wanted.map(({ buyerId }) => buyerId)),
      text(wanted.map(({ sampleId }) => sampleId)),
      text([...new Set(wanted.map(({ sampleId }) => sampleId))]),
      text(grants.map(({ grant }) => grant.lotId)),
      text([...new Set(orders.flatMap(({ packId }) => packId ?? []))]),
    ],
  });
  const row = found.rows[0] as FactsRow;
  const accountsRead = () =>
    new Map((row.accounts ?? []).map((account) => [account.user_id, accountFromRow(account)]));
  const batch = new CreditBatch({
    accounts: accountsRead(),
    requests: new Map((row.requests ?? []).map((each) => [requestKey(each.userId, each.key), each])),
    purchases: new Map((row.purchases ?? []).map((each) => [purchaseDecider.streamOf(each), each])),
    samples: new Map((row.samples ?? []).map((sample) => [sample.sampleId, sample])),
    packs: new Map((row.packs ?? []).map((pack) => [pack.packId, pack])),
    grantedLots: new Set(row.lots ?? []),
    ...(await readCorrectionFacts(client, commands)),
  });
  return { batch, accountsBefore: accountsRead(), head: row.head };
}

/** Returns the SQL that stores the outcomes of idempotency keys. Its 5 parameters are numbered from `first`. */
const writeRequests = (first: number): string => `
  requests as (
    insert into purchase_request (user_id, key, request_hash, outcome, created_at)
    select user_id, key, request_hash, outcome, $${first}::timestamptz
      from unnest(${arrayParameters(first + 1, 'text', 'text', 'text', 'json')})
             as r(user_id, key, request_hash, outcome)
  )`;

/** Writes rows that contain no log position. `new`: no buyer has a row for these samples yet. `any`: some do. */
const WRITE_ROWS = {
  new: `with ${writeRequests(1)}, ${writeAccounts(6)}, ${writeOwnedRows(10, 'new')} select 1`,
  any: `with ${writeRequests(1)}, ${writeAccounts(6)}, ${writeOwnedRows(10)} select 1`,
};

/** Notifies the log subscriptions. Fails if a newer release of Offcut writes these projections. */
const END = `select ${NOTIFY}, ${refuseNewer([creditsProjection, ownedSamples])}`;

const WRITE_LOG = {
  purchases: `with ${insertEvents()}, ${writeLines(10, 1, 'new')} ${END}`,
  grants: `with ${insertEvents()}, ${writeLines(10, 1, 'new')}, ${writeGrants(16, 1, 'new')} ${END}`,
};

/** @returns the appended events and the pending write of the log, which the caller awaits together with the commit */
async function writeUnderLock(
  client: ClientBase,
  { batch, accountsBefore }: ReadBatch,
  now: Date,
): Promise<{ appended?: Appended; last: Promise<unknown> }> {
  if (batch.events.length === 0) return { last: writeRefusals(client, batch, now) };
  const prepared = prepareEvents(batch.events, now);
  const credits = creditRows(prepared.events, accountsBefore);
  const kind = prepared.events.some(isLaterOfPurchase) ? 'any' : 'new';
  const rows = client.query({
    name: `write-credit-batch-rows-${kind}`,
    text: WRITE_ROWS[kind],
    values: [
      ...requestParameters(batch.requests, now),
      ...accountParameters(credits),
      ...ownedRows(prepared.events),
    ],
  });
  const [head] = await Promise.all([holdHead(client), rows]);
  const log = credits.grants[0].length > 0 ? 'grants' : 'purchases';
  const last = client.query({
    name: `write-credit-batch-log-${log}`,
    text: WRITE_LOG[log],
    values: [
      ...insertParameters(prepared, head, chainHashes(prepared, head)),
      ...lineParameters(credits),
      ...(log === 'grants' ? grantParameters(credits) : []),
    ],
  });
  return { appended: appendedAfter(head, prepared), last };
}

// Takes locks in the same order as all writers. If another process has appended, 1 / 0 fails and nothing is written.
const WRITE_AT_ONCE = `
  with ${writeAccounts(10)},
  held as materialized (
    select from hold_log_end() as log where (select count(*) from accounts) >= 0 and log.position = $1::bigint
  ),
  ${insertEvents('from held')},
  ${writeLines(14, 1, 'new')}, ${writeOwnedRows(20)}, ${writeRequests(31)}
  ${END}, 1 / (select count(*) from head)`;

/** PostgreSQL's code for a division by zero, which `WRITE_AT_ONCE` causes if another process has appended. */
const HEAD_MOVED = '22012';

/** Writes only if the log has not grown since the facts were read. @throws an error with the code HEAD_MOVED */
async function writeAtOnce(
  pool: Pool,
  { batch, accountsBefore, head }: ReadBatch,
  now: Date,
): Promise<Appended | undefined> {
  if (batch.events.length === 0) {
    await writeRefusals(pool, batch, now);
    return undefined;
  }
  const prepared = prepareEvents(batch.events, now);
  const credits = creditRows(prepared.events, accountsBefore);
  await pool.query({
    name: 'write-credit-batch-at-once',
    text: WRITE_AT_ONCE,
    values: [
      ...insertParameters(prepared, head, chainHashes(prepared, head)),
      ...accountParameters(credits),
      ...lineParameters(credits),
      ...ownedRows(prepared.events),
      ...requestParameters(batch.requests, now),
    ],
  });
  return appendedAfter(head, prepared);
}

/** Stores the answers of a batch without events, so that a repeated idempotency key gets the same refusal. */
async function writeRefusals(client: ClientBase | Pool, batch: CreditBatch, now: Date): Promise<void> {
  if (batch.requests.length === 0) return;
  await client.query({
    name: 'write-credit-batch-requests',
    text: `with ${writeRequests(1)} select 1`,
    values: requestParameters(batch.requests, now),
  });
}

function requestParameters(requests: readonly DecidedRequest[], now: Date): unknown[] {
  const { text, json } = binaryArrays;
  return [
    now,
    text(requests.map((request) => request.userId)),
    text(requests.map((request) => request.key)),
    text(requests.map((request) => request.requestHash)),
    json(requests.map((request) => JSON.stringify(request.outcome))),
  ];
}

const isLaterOfPurchase = ({ stream, version }: { stream: string; version: number }): boolean =>
  version > 1 && stream.startsWith('purchase-');
