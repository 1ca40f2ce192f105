/** Raw SQL: it computes on the JSON of events. */
import type { Pool, PoolClient } from 'pg';
import type { BatchFacts } from '../../application/credits/credit-batch.js';
import type { BatchCommand } from '../../application/credits/credit-executor.js';
import { creditAccountDecider, type CreditEvent, type Grant } from '../../domain/credits/credit-account.js';
import { giftAccountOf, type GiftFacts } from '../../domain/credits/gift.js';
import { evolveInvoiceLot, paidLotOf, type InvoiceLot } from '../../domain/credits/invoice-lot.js';

/** Reads the facts that only revocations, returns, refunds and gifts need. They are in the event log, but in no table. */
export async function readCorrectionFacts(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
): Promise<Pick<BatchFacts, 'revocations' | 'invoiceLots' | 'gifts'>> {
  return {
    revocations: await readRevocations(client, commands),
    invoiceLots: await readInvoiceLots(client, commands),
    gifts: await readGifts(client, commands),
  };
}

async function readRevocations(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
): Promise<Set<string>> {
  const wanted = commands.filter((command) => command.type === 'RevokeCredits');
  if (wanted.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>(
    `select data->'adjustment'->>'adjustmentId' as id from readable_event
      where stream = any($1) and type = 'CreditsRevoked' and data->'adjustment'->>'adjustmentId' = any($2)`,
    [
      wanted.map(({ revocation }) => creditAccountDecider.streamOf(revocation.userId)),
      wanted.map(({ revocation }) => revocation.adjustment.adjustmentId),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

async function readGifts(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
): Promise<Map<string, GiftFacts>> {
  const found = new Map<string, GiftFacts>();
  for (const command of commands) {
    if (command.type !== 'HandOverGift') continue;
    const { rows } = await client.query<{ data: Grant }>(
      `select data from readable_event where stream = $1 and type = 'CreditsGranted' order by version`,
      [creditAccountDecider.streamOf(giftAccountOf(command.giftId))],
    );
    const grants = rows.map(({ data }) => data);
    // Locked, so that no payer is erased between this check and the commit of an expiry.
    const payer = await client.query<{ isGone: boolean }>(
      `select erased_at is not null as "isGone" from user_account where user_id = $1 for share`,
      [grants[0]?.gift?.payerId],
    );
    found.set(command.giftId, { grants, payerIsGone: payer.rows[0]?.isGone ?? false });
  }
  return found;
}

/** The history of a redeemed lot begins in the stream of its gift. */
async function readInvoiceLots(
  client: PoolClient | Pool,
  commands: readonly BatchCommand[],
): Promise<Map<string, InvoiceLot>> {
  const lots = new Map<string, InvoiceLot>();
  for (const { userId, lotId } of commands.flatMap(invoiceLotsOf)) {
    if (lots.has(lotId)) continue;
    const { rows } = await client.query<CreditEvent>(
      `select type, data from readable_event
        where stream in (select $1 union all
                         select 'credits-' || (data->>'from') from readable_event
                          where stream = $1 and type = 'GiftReceived' and data->>'lotId' = $2)
          and (data->>'lotId' = $2 or data->'adjustment'->>'paidLotId' = $2 or data->'adjustment'->>'makesGood' = $2)
        order by position`,
      [creditAccountDecider.streamOf(userId), lotId],
    );
    const ofLot = rows.filter((event) => paidLotOf(event) === lotId);
    const lot = ofLot.reduce<InvoiceLot | undefined>(evolveInvoiceLot, undefined);
    if (lot) lots.set(lotId, lot);
  }
  return lots;
}

/** The paid lots that a command depends on. */
function invoiceLotsOf(command: BatchCommand): { userId: string; lotId: string }[] {
  if (command.type === 'CorrectInvoice')
    return command.lotIds.map((lotId) => ({ userId: command.userId, lotId }));
  if (command.type === 'GrantCredits') {
    const { userId, adjustment } = command.grant;
    return adjustment?.paidLotId === undefined ? [] : [{ userId, lotId: adjustment.paidLotId }];
  }
  if (command.type !== 'ReturnPurchase') return [];
  return command.lots.map(({ paidLotId }) => ({ userId: command.purchase.buyerId, lotId: paidLotId }));
}
