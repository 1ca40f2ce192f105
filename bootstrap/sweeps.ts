import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { EventStore } from '../application/shared/event-store.js';
import type { PostgresEventStore } from '../adapters/platform/event-log/postgres-event-store.js';
import { Sessions } from '../application/accounts/sessions.js';
import { ReturnPurchases } from '../application/administration/return-purchases.js';
import { PayoutSchedules } from '../application/payouts/payout-schedules.js';
import { PayoutSweep } from '../application/payouts/payout-sweep.js';
import { WriteOffDebts } from '../application/payouts/write-off-debts.js';
import { NightlyCheck } from '../application/ledger/nightly-check.js';
import { SignedHeads } from '../application/operations/signed-heads.js';
import { MoneyBackFacts } from '../application/payments/money-back-facts.js';
import { BalanceTransactions } from '../application/payments/balance-transactions.js';
import { BankPayouts } from '../application/payments/bank-payouts.js';
import { ForgetFolders } from '../application/storage/forget-folders.js';
import { ObjectSweep } from '../application/storage/object-sweep.js';
import { PlanChanges } from '../application/subscriptions/plan-changes.js';
import { PaymentSweep } from '../application/subscriptions/payment-sweep.js';
import { startSweepRounds } from '../adapters/platform/jobs/sweep-rounds.js';

const EVERY_MS = 5 * 60_000;

/** Looks after what never came by itself, such as lost webhooks, and what nobody needs any more. @returns stops it within a limit */
export function scheduleSweeps(app: NestExpressApplication): (limitMs: number) => Promise<void> {
  const log = new Logger('Sweeps');
  const payments = app.get(PaymentSweep, { strict: false });
  const changes = app.get(PlanChanges, { strict: false });
  const schedules = app.get(PayoutSchedules, { strict: false });
  const payouts = app.get(PayoutSweep, { strict: false });
  const debts = app.get(WriteOffDebts, { strict: false });
  const balance = app.get(BalanceTransactions, { strict: false });
  const bankPayouts = app.get(BankPayouts, { strict: false });
  const moneyBack = app.get(MoneyBackFacts, { strict: false });
  const heads = app.get(SignedHeads, { strict: false });
  const nightly = app.get(NightlyCheck, { strict: false });
  const takedowns = app.get(ReturnPurchases, { strict: false });
  const objects = app.get(ObjectSweep, { strict: false });
  const folders = app.get(ForgetFolders, { strict: false });
  const eventStore = app.get<PostgresEventStore>(EventStore, { strict: false });
  const sessions = app.get(Sessions, { strict: false });
  const sweeps: Record<string, () => Promise<unknown>> = {
    payments: () => payments.run(),
    'changes of plans': () => changes.sweep(),
    payouts: () => payouts.run(),
    'monthly payouts': () => schedules.run(),
    'debts of creators': () => debts.run(),
    bankPayouts: () => bankPayouts.sweep(),
    'balance transactions': () => balance.sweep(),
    'refunds and disputes': () => moneyBack.sweep(),
    takedowns: () => takedowns.sweep(),
    'log heads': () => heads.signToday(),
    'former ends of the log': () => eventStore.forgetFormerEnds(),
    'the books': async () => {
      const found = await nightly.run();
      for (const { number, name, detail } of found?.broken ?? [])
        log.error(`the books are broken: rule ${number}, ${name}: ${detail}`);
    },
    'stored objects': async () => {
      const swept = await objects.daily();
      if (swept && swept.noted + swept.removed > 0)
        log.log(
          `stored objects that nothing refers to: ${swept.removed} removed (${swept.removedBytes} bytes), ${swept.noted} noted`,
        );
    },
    'folders of erased people': () => folders.run(),
    sessions: () => sessions.sweep(),
  };
  return startSweepRounds(sweeps, log, EVERY_MS);
}
