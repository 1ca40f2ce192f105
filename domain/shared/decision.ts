/** A decider's answer: the events to record, or the refusal. A refusal is a value, never an exception. */
export type Decision<Event, Rejection> =
  | { accepted: true; events: Event[] }
  | { accepted: false; rejection: Rejection };

/** A use case's answer: the result that the caller needs, or the refusal. A refusal is a value. */
export type Outcome<Success extends object, Rejection extends { code: string }> =
  | ({ accepted: true } & Success)
  | { accepted: false; rejection: Rejection };

export const accept = <Event>(...events: Event[]): { accepted: true; events: Event[] } => ({
  accepted: true,
  events,
});

export const reject = <Rejection extends { code: string }>(
  rejection: Rejection,
): { accepted: false; rejection: Rejection } => ({ accepted: false, rejection });

/** Throws if the condition is false, which means a bug in the program and not a mistake of the user. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Impossible: ${message}`);
}

/** Makes a switch over a union exhaustive at compile time. */
export function unreachable(value: never): never {
  throw new Error(`Impossible: unexpected ${JSON.stringify(value)}`);
}

/** The decisions about one kind of stream. They depend only on the command and the state. */
export interface Decider<Command, State, Event, Rejection, Id = string> {
  /** Returns the stream's name, `category-id`. */
  streamOf: (id: Id) => string;
  initialState: State;
  decide: (command: Command, state: State) => Decision<Event, Rejection>;
  evolve: (state: State, event: Event) => State;
}

/** Decides commands in sequence, each on the state after the command before it. Stops at the first refusal. */
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
