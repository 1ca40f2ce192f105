import type { AsyncProjection, InlineProjection } from '../adapters/platform/projections/projection.js';
import { adjustments } from '../adapters/credits/adjustments-projection.js';
import { catalogueSearch } from '../adapters/catalogue/search/catalogue-search.js';
import { creatorStanding } from '../adapters/publishing/creator-access.js';
import { credits } from '../adapters/credits/credits.js';
import { journal } from '../adapters/ledger/journal.js';
import { earnings } from '../adapters/payouts/earnings.js';
import { ownPacks } from '../adapters/publishing/own-packs.js';
import { ownedSamples } from '../adapters/purchases/owned-samples.js';
import { payouts } from '../adapters/payouts/payouts-projection.js';
import { staffRoles } from '../adapters/accounts/postgres-staff-roles.js';
import { subscriptions } from '../adapters/subscriptions/subscriptions-projection.js';

/** Written with the events that the event store appends. */
const APPENDED_INLINE: readonly InlineProjection[] = [
  ownPacks,
  creatorStanding,
  staffRoles,
  subscriptions,
  payouts,
  adjustments,
];

/** Written with the events too, but by the desk, in its own statement; their `apply` is for rebuilds. */
const DESK_INLINE: readonly InlineProjection[] = [credits, ownedSamples];

/** Follow the log. */
const ASYNC: readonly AsyncProjection[] = [catalogueSearch, journal, earnings];

export const PROJECTIONS = {
  appendedInline: APPENDED_INLINE,
  async: ASYNC,
  all: [...APPENDED_INLINE, ...DESK_INLINE, ...ASYNC],
};
