import { accept, type Decider } from '../shared/decision.js';

/** Stream `log-subscription-{name}`: the parked events that an administrator skipped. */
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

/** The skipped positions. */
type Skipped = ReadonlySet<number>;

export const skippedEventDecider: Decider<SkippedEventCommand, Skipped, SkippedEventEvent, never> = {
  streamOf,
  initialState: new Set(),
  /** A second skip does not replace the first reason. */
  decide: ({ subscription, position, reason, by, now: at }, skipped) =>
    skipped.has(position)
      ? accept()
      : accept<SkippedEventEvent>({
          type: 'ParkedEventSkipped',
          data: { subscription, position, reason, by, at },
        }),
  evolve: (skipped, { data }) => new Set([...skipped, data.position]),
};
