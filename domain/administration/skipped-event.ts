import type { Decider } from '../shared/decider.js';
import { accept } from '../shared/decision.js';

/** Stream `log-subscription-{name}`: what somebody let a subscription of the log go on without. */
const streamOf = (subscription: string): string => `log-subscription-${subscription}`;

interface SkippedEvent {
  subscription: string;
  position: number;
  reason: string;
  /** The user id of an administrator. */
  by: string;
}

export type SkippedEventCommand = { type: 'SkipParkedEvent'; now: string } & SkippedEvent;
export type SkippedEventEvent = { type: 'ParkedEventSkipped'; data: SkippedEvent & { at: string } };

/** The positions that are skipped. */
type Skipped = ReadonlySet<number>;

export const skippedEventDecider: Decider<SkippedEventCommand, Skipped, SkippedEventEvent, never> = {
  streamOf,
  initialState: new Set(),
  /** The first reason stays. */
  decide: ({ subscription, position, reason, by, now: at }, skipped) =>
    skipped.has(position)
      ? accept()
      : accept<SkippedEventEvent>({
          type: 'ParkedEventSkipped',
          data: { subscription, position, reason, by, at },
        }),
  evolve: (skipped, { data }) => new Set([...skipped, data.position]),
};
