import { CONTINUED_PROOF, readModelPart } from '../../application/ledger/book-proofs.js';
import { INVARIANTS } from '../../application/ledger/invariants.js';
import type { SignedHeads } from '../../application/operations/signed-heads.js';
import type { Clock, WallClock } from '../../application/shared/clock.js';
import type { Database } from '../platform/database/database.js';
import { gauge, type Labelled, type Registered } from '../platform/observability/gauges.js';
import { openItems } from './proof/cash-checks.js';
import { PostgresTieOuts } from './tie-outs/postgres-tie-outs.js';

/** Figures are cached for this long, however often monitoring asks. */
const REMEMBERED_MS = 15_000;

interface Figures {
  /** The numbers of the rules that the last nightly check found broken. Null if no check has run. */
  broken: number[] | null;
  alerts: number;
  /** The sum of the absolute amounts of items in suspense. Signed amounts could cancel each other out. */
  suspenseMicroUsd: number;
  suspenseSince: Date | null;
  unhandledSince: Date | null;
  /** When each part of the books was last checked completely. Omits parts that were never checked completely. */
  proven: { part: string; at: string }[];
  head?: Date;
  differenceMicroUsd?: number;
}

export function registerFinanceMetrics(
  metrics: Registered,
  { database, clock, wallClock }: { database: Database; clock: Clock; wallClock: WallClock },
  heads: Pick<SignedHeads, 'newest'>,
): void {
  const tieOuts = new PostgresTieOuts(database);
  // If the database or the storage does not answer, its figures are missing, and all other figures are still
  // reported.
  const remembered = remembering(wallClock, async (): Promise<Partial<Figures>> => {
    const [figures, balances, head] = await Promise.all([
      figuresIn(database).catch(() => ({})),
      tieOuts.balances().catch(() => []),
      heads.newest().catch(() => null),
    ]);
    const usd = balances.find(({ currency }) => currency === 'usd');
    return {
      ...figures,
      ...(usd && { differenceMicroUsd: usd.providerMicro - usd.booksMicro }),
      ...(head && { head: new Date(head.signedAt) }),
    };
  });
  const figure = (
    name: string,
    help: string,
    value: (figures: Partial<Figures>) => Labelled[] | number | undefined,
    ...labelNames: string[]
  ) => gauge(metrics, [name, help, ...labelNames], async () => value(await remembered()));
  const secondsSince = (since: Date, by: Clock): number => (by.now().getTime() - since.getTime()) / 1_000;
  const age = (since: Date | null | undefined, by: Clock): number | undefined =>
    since ? secondsSince(since, by) : since === null ? 0 : undefined;

  figure('finance_alerts_open', 'Unseen alerts about money', ({ alerts }) => alerts);
  figure(
    'finance_suspense_micro_usd',
    'Micro-dollars in suspense, each item without its sign',
    ({ suspenseMicroUsd }) => suspenseMicroUsd,
  );
  figure(
    'finance_suspense_oldest_seconds',
    'How long the oldest item has been in suspense',
    ({ suspenseSince }) => age(suspenseSince, clock),
  );
  figure('finance_head_age_seconds', 'Since the newest signed head of the log', ({ head }) =>
    age(head, wallClock),
  );
  figure(
    'finance_stripe_difference_micro_usd',
    'What Stripe said that its balance was, less what the books had then',
    ({ differenceMicroUsd }) => differenceMicroUsd,
  );
  figure(
    'finance_webhooks_unhandled_oldest_seconds',
    'How long the oldest report of Stripe has waited to be handled',
    ({ unhandledSince }) => age(unhandledSince, clock),
  );
  figure(
    'finance_whole_proof_age_seconds',
    'Since a part of the books was last gone through whole: the log, the rules, the read models; since the file was read that waits longest',
    ({ proven }) => proven?.map(({ part, at }) => [{ part }, secondsSince(new Date(at), clock)]),
    'part',
  );
  figure(
    'finance_rule_broken',
    'Whether the last nightly check of the books found a rule broken',
    ({ broken }) =>
      broken ? INVARIANTS.map(({ number: rule }) => [{ rule }, broken.includes(rule) ? 1 : 0]) : undefined,
    'rule',
  );
}

/** Caches the last result for `REMEMBERED_MS`. @param find must not reject */
function remembering<Found>(clock: WallClock, find: () => Promise<Found>): () => Promise<Found> {
  let found: Promise<Found> | undefined;
  let askedAt = 0;
  return () => {
    const at = clock.now().getTime();
    if (!found || at - askedAt >= REMEMBERED_MS) [found, askedAt] = [find(), at];
    return found;
  };
}

/** Raw SQL: figures of five tables in one query, one of them a sum over lines of the journal. */
async function figuresIn(database: Database): Promise<Figures> {
  const { rows } = await database.pool.query({
    name: 'finance-figures',
    text: `with suspense as materialized (
             select sum(abs(balance)) filter (where account = 'suspense') as micro_usd, min(since) as since
               from (${openItems()}) as open where account like 'suspense%')
           select (select array(select (rule->>'number')::int from jsonb_array_elements(broken) rule) from book_check
                    where checked_at is not null order by night desc limit 1) as broken,
                  (select count(*)::int from alert where seen_at is null) as alerts,
                  (select coalesce(micro_usd, 0)::bigint from suspense) as "suspenseMicroUsd",
                  (select since from suspense) as "suspenseSince",
                  (select min(received_at) from stripe_webhook where handled_at is null) as "unhandledSince",
                  (select coalesce(json_agg(proven), '[]')
                     from (select case when starts_with(part, $1) then 'read models' else part end as part, min(finished_at) as at
                             from book_proof where part <> $2
                            group by 1 having bool_and(finished_at is not null)) proven) as proven`,
    values: [readModelPart(''), CONTINUED_PROOF],
  });
  return rows[0] as Figures;
}
