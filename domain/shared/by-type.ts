import { unreachable } from './decision.js';

export type ByType<Event extends { type: string }, Rest extends unknown[], Result> = {
  readonly [Type in Event['type']]: (event: Event & { type: Type }, ...rest: Rest) => Result;
};

/** Makes a handler from one function per event type: `{ EventType: (event) => rows }`. The keys are its event types. */
export function byType<Event extends { type: string }, Rest extends unknown[], Result>(
  on: ByType<Event, Rest, Result>,
): { types: readonly Event['type'][]; of(event: Event, ...rest: Rest): Result };
export function byType(on: Readonly<Record<string, (event: object, ...rest: unknown[]) => unknown>>) {
  return {
    types: Object.keys(on),
    of: (event: { type: string }, ...rest: unknown[]) => on[event.type]?.(event, ...rest),
  };
}

/** Makes an `evolve` from one function per event type. An unknown event throws. */
export function evolveBy<State, Event extends { type: string; data: object }>(on: {
  readonly [Type in Event['type']]: (state: State, data: (Event & { type: Type })['data']) => State;
}): (state: State, event: Event) => State;
export function evolveBy(on: Readonly<Record<string, (state: unknown, data: object) => unknown>>) {
  return (state: unknown, { type, data }: { type: string; data: object }) =>
    (on[type] ?? unreachable(type as never))(state, data);
}
