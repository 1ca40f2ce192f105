import type { Taxed } from '../../domain/credits/credit-account.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { LogSubscriptions } from '../../adapters/platform/event-log/subscriptions.js';
import { PostgresBookQueries } from '../../adapters/ledger/postgres-books.js';
import { journal } from '../../adapters/ledger/journal.js';
import {
  PostgresBookProofs,
  PostgresEarlierEvents,
} from '../../adapters/ledger/proof/postgres-book-proofs.js';
import { PostgresFilesOnSale } from '../../adapters/ledger/proof/postgres-files-on-sale.js';
import { PostgresStoredBookQueries } from '../../adapters/ledger/proof/postgres-stored-books.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import type { ClosingChecklist } from '../../application/ledger/closing/close-period.js';
import { PublishedFiles } from '../../application/ledger/published-files.js';
import { ProofLimits } from '../../application/ledger/book-proofs.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { WholeProof } from '../../application/ledger/whole-proof.js';
import type { SignedHeads } from '../../application/operations/signed-heads.js';
import { SystemClock, type Clock } from '../../application/shared/clock.js';
import type { ObjectStorage } from '../../application/storage/object-storage.js';
import { executorOn } from './stock.js';

/** Signed heads of a log without any signature. */
export const NO_HEADS = {
  verify: async () => ({
    verified: 0,
    newest: null,
    places: [],
    faults: [],
    restores: [],
    isLate: false,
    missingDays: [],
  }),
} as unknown as SignedHeads;

/** A checklist for tests that leave out the other side of the books, such as the provider's. */
export const CHECKLIST_DONE = {
  of: async () => ({ items: [], obstacle: undefined, broken: [] }),
} as unknown as ClosingChecklist;

/** Executor and books on a real database. Only `post` moves projections forward. */
export function booksOn(
  { database }: { database: Database },
  storage?: Pick<ObjectStorage, 'head' | 'get'>,
  clock: Clock = new SystemClock(),
  { heads = NO_HEADS, limits = new ProofLimits() }: { heads?: SignedHeads; limits?: ProofLimits } = {},
) {
  const proofs = new PostgresBookProofs(database);
  const { executor, eventStore } = executorOn(database, undefined, clock);
  const { projector } = new LogSubscriptions(database, eventStore, [], { warn: () => {}, error: () => {} });
  const files = new PublishedFiles(
    new PostgresFilesOnSale(database),
    (storage ?? {}) as ObjectStorage,
    clock,
  );
  const stored = new PostgresStoredBookQueries(database, projector, PROJECTIONS.all);
  return {
    executor,
    eventStore,
    projector,
    books: new PostgresBookQueries(database),
    reconcile: new Reconcile(
      eventStore,
      new PostgresEarlierEvents(database),
      stored,
      files,
      heads,
      proofs,
      limits,
      clock,
    ),
    whole: new WholeProof(eventStore, stored, files, proofs, limits, clock),
    /** Posts all events of the log into the journal. */
    post: async () => {
      while ((await projector.advance(journal)) === 'behind');
    },
  };
}

let invoices = 0;
/** An invoice for one month of a plan: 50 credits for 9.99 dollars, including tax if there is any. */
export const paidInvoice = (
  userId: string,
  more: { taxMicroUsd?: number; paidAt?: Date; taxed?: Taxed; country?: string } = {},
) => {
  invoices += 1;
  const taxMicroUsd = more.taxMicroUsd ?? 0;
  return {
    userId,
    invoiceId: `in_${invoices}`,
    invoiceLineId: `il_${invoices}`,
    credits: 50,
    grossMicroUsd: 9_990_000,
    taxMicroUsd,
    netMicroUsd: 9_990_000 - taxMicroUsd,
    paidAt: more.paidAt ?? new Date(),
    ...(more.taxed && { taxed: more.taxed }),
    ...(more.country && { country: more.country }),
  };
};
