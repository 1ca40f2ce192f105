import type { Database } from '../../adapters/platform/database/database.js';
import { executorOn, stock } from './stock.js';

export const BUYERS = 40;
const SAMPLES = 2_500;
export const CREDITS = 100_000;
/** The number of different orders. */
export const ORDERS = BUYERS * SAMPLES;

/** The orders for a process that will be killed. */
export interface BuyingOrders {
  url: string;
  /** Earlier orders that were never answered. */
  open: number[];
  /** Range of new orders. */
  from: number;
  to: number;
  /** The number of concurrent orders. */
  inFlight: number;
  /** The point at which the process kills itself. Absent: the test kills it from outside. */
  crash?: { statement: string; moment: 'before' | 'sent' | 'answered'; after: number };
}

/** An order has the same key in every retry. */
export const orderOf = (n: number): { buyerId: string; sampleId: string; key: string } => ({
  buyerId: `buyer-${n % BUYERS}`,
  sampleId: `s${Math.floor(n / BUYERS)}`,
  key: `order-${n}`,
});

/** Puts samples on sale and gives every buyer enough credits for all of them. */
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
