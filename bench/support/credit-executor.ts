import { Database } from '../../adapters/platform/database/database.js';
import { migrate } from '../../adapters/platform/database/migrate.js';
import type { CreditExecutor } from '../../application/credits/credit-executor.js';
import { executorOn, purchaseOf, stock } from '../../test/support/stock.js';
import { keepInFlight, type Contender } from './measure.js';

export const BUYERS = 1_000;
export const SAMPLES = 4_000;

/** Returns buyer and sample pairs that never repeat, so that every purchase is new. */
export function pairs(): () => { buyer: string; sample: string } {
  let next = 0;
  return () => {
    const n = next++;
    return { buyer: `b${n % BUYERS}`, sample: `s${Math.floor(n / BUYERS) % SAMPLES}` };
  };
}

/** Buys a sample that the buyer does not own, for one credit. */
export const purchasesOn =
  (executor: CreditExecutor, next: ReturnType<typeof pairs>) => async (): Promise<void> => {
    const { buyer, sample } = next();
    const { outcome } = await executor.buy(purchaseOf(buyer, [sample]));
    if (outcome.status !== 'bought' || outcome.charged !== 1)
      throw new Error(`not bought: ${JSON.stringify(outcome)}`);
  };

/** Purchases through the batched executor on an empty database. @param grownBy number of purchases made before */
export async function theExecutor(url: string, grownBy = 0): Promise<(inFlight: number) => Contender> {
  const database = new Database(url);
  await migrate(database);
  await stock(database, SAMPLES);
  const { executor } = executorOn(database);
  await Promise.all(
    Array.from({ length: BUYERS }, (_, n) =>
      executor.grantInvoice(
        {
          userId: `b${n}`,
          invoiceId: `in_${n}`,
          invoiceLineId: `il_${n}`,
          credits: 1_000_000,
          grossMicroUsd: 200_000_000_000,
          taxMicroUsd: 0,
          netMicroUsd: 200_000_000_000,
          paidAt: new Date(),
        },
        { correlationId: 'bench' },
      ),
    ),
  );
  const buy = purchasesOn(executor, pairs());
  let made = 0;
  await Promise.all(
    Array.from({ length: 1_024 }, async () => {
      while (made < grownBy) {
        made += 1;
        await buy();
      }
    }),
  );
  const after = grownBy > 0 ? ` after ${grownBy.toLocaleString('en')} purchases` : '';
  return (inFlight) => ({
    name: `Offcut's executor, ${inFlight} in flight${after}`,
    run: (durationMs) => keepInFlight(inFlight, durationMs, buy),
  });
}
