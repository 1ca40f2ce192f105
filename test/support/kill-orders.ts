import type { Database } from '../../adapters/platform/database/database.js';
import { executorOn, stock } from './stock.js';

export const BUYERS = 40;
const SAMPLES = 2_500;
export const CREDITS = 100_000;
/** So many different orders there are. */
export const ORDERS = BUYERS * SAMPLES;

/** What a process that will be killed is told to buy. */
export interface BuyingOrders {
  url: string;
  /** Orders that were begun before and never answered. */
  open: number[];
  /** Then those from here on. */
  from: number;
  to: number;
  /** How many at a time. */
  inFlight: number;
  /** Where it kills itself; absent: it is killed from outside. */
  crash?: { statement: string; moment: 'before' | 'sent' | 'answered'; after: number };
}

/** The same order has the same key over every retry. */
export const orderOf = (n: number): { buyerId: string; sampleId: string; key: string } => ({
  buyerId: `buyer-${n % BUYERS}`,
  sampleId: `s${Math.floor(n / BUYERS)}`,
  key: `order-${n}`,
});

/** Samples on sale, and credits to buy them all. */
export async function stockForKills(database: Database): Promise<void> {
  await stock(database, SAMPLES);
  const { executor } = executorOn(database);
  await Promise.all(
    Array.from({ length: BUYERS }, (_, n) =>
      executor.grantInvoice(
        {
          userId: `buyer-${n}`,
          invoiceId: `in_${n}`,
          invoiceLineId: `il_${n}`,
          credits: CREDITS,
          grossMicroUsd: 9_990_000_000,
          taxMicroUsd: 0,
          netMicroUsd: 9_990_000_000,
          paidAt: new Date(),
        },
        { correlationId: 'kills' },
      ),
    ),
  );
}
