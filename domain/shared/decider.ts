import type { Decision } from './decision.js';

/** The decisions about one kind of stream. They depend only on the command and the state. */
export interface Decider<Command, State, Event, Rejection, Id = string> {
  /** Returns the stream's name, `category-id`. */
  streamOf: (id: Id) => string;
  /** The state of a stream without events. */
  initialState: State;
  decide: (command: Command, state: State) => Decision<Event, Rejection>;
  evolve: (state: State, event: Event) => State;
}

/** Decides commands in sequence, each on the state that the one before left. Stops at the first refusal. */
export function decideInOrder<Command, State, Event, Rejection>(
  { decide, evolve }: Pick<Decider<Command, State, Event, Rejection>, 'decide' | 'evolve'>,
  commands: readonly Command[],
  state: State,
): { events: Event[]; rejection?: Rejection } {
  const events: Event[] = [];
  let after = state;
  for (const command of commands) {
    const decision = decide(command, after);
    if (!decision.accepted) return { events, rejection: decision.rejection };
    events.push(...decision.events);
    after = decision.events.reduce(evolve, after);
  }
  return { events };
}
