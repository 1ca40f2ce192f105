import type { Pool, PoolClient } from 'pg';
import { accountHolder, type BatchCommand } from '../../application/purchases/decide-credit-command.js';
import {
  requestKey,
  type PurchaseOutcome,
  type DecisionContext,
} from '../../application/purchases/decision-context.js';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { evolveInvoiceLot, type InvoiceLot } from '../../domain/credits/invoice-lot.js';
import { purchaseDecider, type SampleOnOffer } from '../../domain/purchases/purchase.js';
import { binaryArrays } from '../platform/database/binary-arrays.js';
import { LOG_END, type Head } from '../platform/event-log/log-writer.js';
import { accountFromRow, type AccountRow, type AccountSql } from '../credits/credits.js';

const readContextSql = (lock: 'for update' | ''): string => `
  with account as (
    select user_id, version, balance, lots from credit_account where user_id = any($1::text[]) order by user_id ${lock}
  )
  select
    (select json_agg(account) from account) as accounts,
    (select json_build_object('position', position, 'hash', encode(hash, 'hex')) from (${LOG_END}) as newest) as head,
    (select json_agg(json_build_object('user_id', r.user_id, 'key', r.key, 'request_hash', p.request_hash, 'outcome', p.outcome))
       from unnest($2::text[], $3::text[]) as r(user_id, key)
       cross join lateral (select request_hash, outcome from purchase_request q where q.user_id = r.user_id and q.key = r.key limit 1) as p) as requests,
    (select json_agg(json_build_object('buyer_id', w.buyer_id, 'sample_id', w.sample_id, 'version', o.version, 'purchase_id', o.purchase_id,
                                       'certificate_id', o.certificate_id, 'audio_version', o.audio_version, 'returned', o.returned_at is not null))
       from unnest($4::text[], $5::text[]) as w(buyer_id, sample_id)
       cross join lateral (select * from owned_sample s where s.buyer_id = w.buyer_id and s.sample_id = w.sample_id limit 1) as o) as owned,
    (select json_agg(json_build_object('sampleId', c.sample_id, 'packId', c.pack_id, 'creatorId', c.creator_id, 'priceCredits', c.price_credits,
                                       'audioVersion', c.audio_version, 'fileSha256', c.original_sha256, 'available', c.available,
                                       'takenDown', c.taken_down))
       from unnest($6::text[]) as w(sample_id)
       cross join lateral (select * from sample s where s.sample_id = w.sample_id limit 1) as c) as samples,
    (select json_agg(g.lot_id) from unnest($7::text[]) as w(lot_id)
       cross join lateral (select lot_id from credit_grant c where c.lot_id = w.lot_id limit 1) as g) as lots`;
const READ_CONTEXT = { locked: readContextSql('for update'), unlocked: readContextSql('') };

interface ContextRow {
  head: Head;
  accounts: AccountSql[] | null;
  requests: { user_id: string; key: string; request_hash: string; outcome: PurchaseOutcome }[] | null;
  owned:
    | {
        buyer_id: string;
        sample_id: string;
        version: number;
        purchase_id: string;
        certificate_id: string;
        audio_version: number;
        returned: boolean;
      }[]
    | null;
  samples: SampleOnOffer[] | null;
  lots: string[] | null;
}

/** What the commands of a batch depend on, in one statement. @returns with `head`, the end of the log in that moment */
export async function loadDecisionContext(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
  accounts: 'locked' | 'unlocked',
): Promise<{ context: DecisionContext; accountsBefore: Map<string, AccountRow>; head: Head }> {
  const purchases = commands.filter((command) => command.type === 'BuySamples');
  const keyed = purchases.flatMap(({ buyerId, idempotency }) =>
    idempotency ? [{ buyerId, key: idempotency.key }] : [],
  );
  const grants = commands.filter((command) => command.type === 'ReceiveCredits');
  const returns = commands.filter((command) => command.type === 'ReturnPurchase');
  const pairs = [
    ...purchases.flatMap(({ buyerId, items }) => items.map(({ sampleId }) => ({ buyerId, sampleId }))),
    ...returns.map(({ purchase: { buyerId, sampleId } }) => ({ buyerId, sampleId })),
  ];
  if (grants.length > 0) {
    // A lock needs a row: whoever receives credits for the first time gets an empty account.
    await client.query(
      `insert into credit_account (user_id, version, balance, lots) select distinct u, 0, 0, '[]'::jsonb from unnest($1::text[]) as u order by u on conflict do nothing`,
      [grants.map((command) => command.grant.userId)],
    );
  }
  const { text } = binaryArrays;
  const found = await client.query({
    name: `read-decision-context-${accounts}`,
    text: READ_CONTEXT[accounts],
    values: [
      text([...new Set(commands.map(accountHolder))]),
      text(keyed.map(({ buyerId }) => buyerId)),
      text(keyed.map(({ key }) => key)),
      text(pairs.map((pair) => pair.buyerId)),
      text(pairs.map((pair) => pair.sampleId)),
      text([...new Set(pairs.map((pair) => pair.sampleId))]),
      text(grants.map((command) => command.grant.lotId)),
    ],
  });
  const row = found.rows[0] as ContextRow;
  const corrections = {
    revocations: await readRevocations(client, commands),
    invoiceLots: await readInvoiceLots(client, commands),
  };
  return { ...contextFrom(row, corrections), head: row.head };
}

/** The paid lots that a command asks about. */
function invoiceLotsOf(command: BatchCommand): { userId: string; lotId: string }[] {
  if (command.type === 'CorrectInvoice')
    return command.lotIds.map((lotId) => ({ userId: command.userId, lotId }));
  if (command.type !== 'ReturnPurchase') return [];
  return command.lots.map(({ paidLotId }) => ({ userId: command.purchase.buyerId, lotId: paidLotId }));
}

/** What invoices collected and gave back, folded from the log under the account's lock; as rare. */
async function readInvoiceLots(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
): Promise<Map<string, InvoiceLot>> {
  const lots = new Map<string, InvoiceLot>();
  for (const { userId, lotId } of commands.flatMap(invoiceLotsOf)) {
    if (lots.has(lotId)) continue;
    const { rows } = await client.query(
      `select type, data from readable_event where stream = $1 and data->>'lotId' = $2 order by version`,
      [creditAccountDecider.streamOf(userId), lotId],
    );
    const lot = (rows as CreditEvent[]).reduce<InvoiceLot | undefined>(evolveInvoiceLot, undefined);
    if (lot) lots.set(lotId, lot);
  }
  return lots;
}

/** Adjustments that took their credits before; rare, so the purchase path does not carry them. */
async function readRevocations(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
): Promise<Set<string>> {
  const wanted = commands.filter((command) => command.type === 'RevokeCredits');
  if (wanted.length === 0) return new Set();
  const { rows } = await client.query(
    `select data->'adjustment'->>'adjustmentId' as id from readable_event
      where stream = any($1) and type = 'CreditsRevoked' and data->'adjustment'->>'adjustmentId' = any($2)`,
    [
      wanted.map(({ revocation }) => creditAccountDecider.streamOf(revocation.userId)),
      wanted.map(({ revocation }) => revocation.adjustment.adjustmentId),
    ],
  );
  return new Set((rows as { id: string }[]).map(({ id }) => id));
}

function contextFrom(
  row: ContextRow,
  corrections: Pick<DecisionContext, 'revocations' | 'invoiceLots'>,
): { context: DecisionContext; accountsBefore: Map<string, AccountRow> } {
  const accountsBefore = new Map(
    (row.accounts ?? []).map((account) => [account.user_id, accountFromRow(account)]),
  );
  return {
    accountsBefore,
    context: {
      accounts: new Map([...accountsBefore].map(([userId, account]) => [userId, { ...account }])),
      requests: new Map(
        (row.requests ?? []).map((request) => [
          requestKey(request.user_id, request.key),
          { requestHash: request.request_hash, outcome: request.outcome },
        ]),
      ),
      purchases: new Map(
        (row.owned ?? []).map((owned) => [
          purchaseDecider.streamOf({ buyerId: owned.buyer_id, sampleId: owned.sample_id }),
          {
            version: owned.version,
            state: {
              status: owned.returned ? 'Returned' : 'Owned',
              purchaseId: owned.purchase_id,
              certificateId: owned.certificate_id,
              audioVersion: owned.audio_version,
            },
          },
        ]),
      ),
      samples: new Map((row.samples ?? []).map((sample) => [sample.sampleId, sample])),
      grantedLots: new Set(row.lots ?? []),
      ...corrections,
    },
  };
}
