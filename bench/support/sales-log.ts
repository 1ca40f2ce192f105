import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../../adapters/platform/database/database.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';

/** The number of samples that buyers choose from; `stock` puts samples with these ids on sale. */
export const SALES_SAMPLES = 4_000;
const CREATORS = 200;
const LOT = { credits: 100_000, valueMicroUsd: 15_990_000_000 };
const CREDIT_MICRO_USD = LOT.valueMicroUsd / LOT.credits;
const SHARE = { shareMicroUsd: (CREDIT_MICRO_USD * 6) / 10, shareBps: 6_000, policyVersion: 1 };
const FILE_SHA256 = 'a'.repeat(64);
const A_CHUNK = 2_000;
const STARTED_MS = Date.UTC(2026, 0, 1);

interface Draft {
  stream: string;
  version: number;
  type: string;
  data: object;
  creditDelta: number | null;
}

/**
 * Returns the buyer and sample of the n-th purchase, from 0. Each user buys once before any user buys again, not in
 * the order of their ids, and never a sample that they own.
 */
export function saleAt(n: number, users: number): { buyer: string; sample: string } {
  const user = 1 + ((n * 7_919) % users);
  return { buyer: `u${user}`, sample: `s${(user * 61 + Math.floor(n / users)) % SALES_SAMPLES}` };
}

/** Returns an id without locality, like a random one: neighbouring numbers give distant ids. */
const idOf = (kind: string, n: number): string =>
  `${(Math.imul(n, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0')}-0000-4000-${kind}-${n.toString(16).padStart(12, '0')}`;

/** Returns the n-th event, from 1: first a lot for each user, then purchases, with alternating spends and sales. */
function eventAt(n: number, users: number): Draft {
  if (n <= users) {
    const invoice = {
      invoiceId: `i${n}`,
      invoiceLineId: `il${n}`,
      grossMicroUsd: LOT.valueMicroUsd,
      taxMicroUsd: 0,
    };
    const grant = { userId: `u${n}`, lotId: `l${n}`, kind: 'paid', reason: 'monthly_grant', ...LOT };
    const data = { ...grant, grantedAt: '2026-01-01T00:00:00.000Z', invoice };
    return { stream: `credits-u${n}`, version: 1, type: 'CreditsGranted', data, creditDelta: LOT.credits };
  }
  const purchase = Math.floor((n - users - 1) / 2);
  const { buyer: buyerId, sample: sampleId } = saleAt(purchase, users);
  const purchaseId = idOf('8000', purchase);
  if ((n - users) % 2 === 1) {
    const segments = [{ lotId: `l${buyerId.slice(1)}`, credits: 1, valueMicroUsd: CREDIT_MICRO_USD }];
    const data = { userId: buyerId, purchaseId, credits: 1, segments };
    const version = 2 + Math.floor(purchase / users);
    return { stream: `credits-${buyerId}`, version, type: 'CreditsSpent', data, creditDelta: -1 };
  }
  const licence = {
    purchaseId,
    buyerId,
    sampleId,
    packId: 'pack-of-s',
    creatorId: `c${purchase % CREATORS}`,
  };
  const delivered = { certificateId: idOf('9000', purchase), audioVersion: 1, fileSha256: FILE_SHA256 };
  const data = { ...licence, ...delivered, priceCredits: 1, valueMicroUsd: CREDIT_MICRO_USD, ...SHARE };
  return {
    stream: `purchase-${buyerId}.${sampleId}`,
    version: 1,
    type: 'SamplePurchased',
    data,
    creditDelta: null,
  };
}

/**
 * Writes a log with this many events, chained as the product chains them, and sets its head.
 * @param options.users number of buyers
 * @param options.apartMs milliseconds between events
 */
export async function writeSalesLog(
  database: Database,
  events: number,
  { users = 1_000, apartMs = 1 } = {},
): Promise<void> {
  let hash = GENESIS_HASH;
  const lines = function* (): Generator<string> {
    for (let first = 1; first <= events; first += A_CHUNK) {
      let text = '';
      for (let position = first; position < Math.min(first + A_CHUNK, events + 1); position += 1) {
        const { stream, version, type, data, creditDelta } = eventAt(position, users);
        const metadata = JSON.stringify({ actor: 'bench', correlationId: `c${position}` });
        const bytes = JSON.stringify(data);
        const recordedAt = new Date(STARTED_MS + position * apartMs);
        hash = nextHash(hash, { position, stream, version, type, data: bytes, metadata, recordedAt });
        text += `${position}\t${stream}\t${version}\t${type}\t${bytes}\t${metadata}\t${creditDelta ?? '\\N'}\t${recordedAt.toISOString()}\t\\\\x${hash}\n`;
      }
      yield text;
    }
  };
  const client = await database.pool.connect();
  try {
    await pipeline(
      Readable.from(lines()),
      client.query(
        copyFrom(
          'copy event (position, stream, version, type, data, metadata, credit_delta, recorded_at, hash) from stdin',
        ),
      ),
    );
  } finally {
    client.release();
  }
  await database.pool.query(`insert into log_end (position, hash) values ($1, decode($2, 'hex'))`, [
    events,
    hash,
  ]);
  await database.pool.query('vacuum analyze event');
}
