import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../../adapters/platform/database/database.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';

const USERS = 1_000;
const CREATORS = 200;
const LOT = { credits: 100_000, valueMicroUsd: 15_990_000_000 };
const A_CHUNK = 2_000;
const STARTED_MS = Date.UTC(2026, 0, 1);

interface Draft {
  stream: string;
  version: number;
  type: string;
  data: object;
  creditDelta: number | null;
}

/** The n-th event, from 1: first a lot for each user, then purchases, a spend and a sale in turn. */
function eventAt(n: number): Draft {
  if (n <= USERS) {
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
  const purchase = Math.floor((n - USERS - 1) / 2);
  const user = 1 + (purchase % USERS);
  const purchaseId = `p${purchase}`;
  const valueMicroUsd = LOT.valueMicroUsd / LOT.credits;
  if ((n - USERS) % 2 === 1) {
    const segments = [{ lotId: `l${user}`, credits: 1, valueMicroUsd }];
    const data = { userId: `u${user}`, purchaseId, credits: 1, segments };
    const version = 2 + Math.floor(purchase / USERS);
    return { stream: `credits-u${user}`, version, type: 'CreditsSpent', data, creditDelta: -1 };
  }
  const sampleId = `s${purchase}`;
  const share = { shareMicroUsd: (valueMicroUsd * 6) / 10, shareBps: 6_000, policyVersion: 1 };
  const data = {
    purchaseId,
    buyerId: `u${user}`,
    sampleId,
    creatorId: `c${purchase % CREATORS}`,
    priceCredits: 1,
    valueMicroUsd,
    ...share,
  };
  return {
    stream: `purchase-u${user}.${sampleId}`,
    version: 1,
    type: 'SamplePurchased',
    data,
    creditDelta: null,
  };
}

/**
 * Writes a log of so many events, chained as the product chains them, and brings its head there.
 * @param apartMs from each event to the next
 */
export async function writeSalesLog(database: Database, events: number, apartMs = 1): Promise<void> {
  let hash = GENESIS_HASH;
  const lines = function* (): Generator<string> {
    for (let first = 1; first <= events; first += A_CHUNK) {
      let text = '';
      for (let position = first; position < Math.min(first + A_CHUNK, events + 1); position += 1) {
        const { stream, version, type, data, creditDelta } = eventAt(position);
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
