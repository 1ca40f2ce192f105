import type { Decision } from './decision.js';

/** All that is decided about one kind of stream. What it depends on is in the command or in the state. */
export interface Decider<Command, State, Event, Rejection, Id = string> {
  /** The stream's name, `category-id`. */
  streamOf: (id: Id) => string;
  /** Of a stream without events. */
  initialState: State;
  decide: (command: Command, state: State) => Decision<Event, Rejection>;
  evolve: (state: State, event: Event) => State;
}

/** Decides each command on what the ones before it brought; stops at the first refusal. */
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
