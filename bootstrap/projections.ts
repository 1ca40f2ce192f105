import type { AsyncProjection, InlineProjection } from '../adapters/platform/projections/projection.js';
import { approvals } from '../adapters/approvals/approval-rows.js';
import { staffActs } from '../adapters/administration/staff-acts.js';
import { catalogueSearch } from '../adapters/catalogue/search/catalogue-search.js';
import { aiPreferences, creatorStatus } from '../adapters/publishing/creator-status.js';
import { complaints } from '../adapters/complaints/postgres-complaints.js';
import { credits } from '../adapters/credits/credits.js';
import { alerts } from '../adapters/ledger/postgres-alerts.js';
import { journal } from '../adapters/ledger/journal.js';
import { tieOuts } from '../adapters/ledger/tie-outs/postgres-tie-outs.js';
import { taxLines } from '../adapters/ledger/tax/postgres-tax-reports.js';
import { traceIds } from '../adapters/ledger/trace/trace-ids.js';
import { earnings } from '../adapters/payouts/postgres-earnings.js';
import { suspectedCopies, strikes } from '../adapters/publishing/suspicions/suspected-copies.js';
import { ownPacks } from '../adapters/publishing/own-packs.js';
import { promotionCodes } from '../adapters/promotions/postgres-promotions.js';
import { ownedSamples } from '../adapters/purchases/owned-samples.js';
import { splits } from '../adapters/payouts/postgres-splits.js';
import { payouts } from '../adapters/payouts/postgres-payouts.js';
import { staffRoles } from '../adapters/accounts/postgres-staff.js';
import { subscriptions } from '../adapters/subscriptions/postgres-subscriptions.js';

/** The event store updates these projections in the transaction that appends the events. */
const APPENDED_INLINE: readonly InlineProjection[] = [
  ownPacks,
  creatorStatus,
  aiPreferences,
  suspectedCopies,
  strikes,
  complaints,
  staffRoles,
  subscriptions,
  payouts,
  splits,
  promotionCodes,
  approvals,
  alerts,
  tieOuts,
];

/**
 * The batched executor updates these projections, in the transaction that appends the
 * events. The events of samples that a
 * promotion code gives are appended without this executor, because no credits move, so the event store updates the
 * projections for them.
 */
const BATCH_INLINE: readonly InlineProjection[] = [credits, ownedSamples];

const ASYNC: readonly AsyncProjection[] = [catalogueSearch, journal, taxLines, traceIds, earnings, staffActs];

export const PROJECTIONS = {
  appendedInline: [...APPENDED_INLINE, ownedSamples],
  inline: [...APPENDED_INLINE, ...BATCH_INLINE],
  async: ASYNC,
  all: [...APPENDED_INLINE, ...BATCH_INLINE, ...ASYNC],
};
