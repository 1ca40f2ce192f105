import type { AsyncProjection, InlineProjection } from '../postgres/projection.js';
import { adjustments } from '../postgres/read-models/adjustments.js';
import { catalogueSearch } from '../postgres/read-models/catalogue-search.js';
import { creatorStanding } from '../postgres/read-models/creator-standing.js';
import { credits } from '../postgres/read-models/credits.js';
import { journal } from '../postgres/read-models/journal.js';
import { earnings } from '../postgres/read-models/earnings.js';
import { ownPacks } from '../postgres/read-models/own-packs.js';
import { ownedSamples } from '../postgres/read-models/owned-samples.js';
import { payouts } from '../postgres/read-models/payouts.js';
import { staffRoles } from '../postgres/read-models/staff-roles.js';
import { subscriptions } from '../postgres/read-models/subscription.js';

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
