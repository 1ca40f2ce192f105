import type { Projected } from './projection.js';
import type { NewEvent } from '../../../application/shared/event-store.js';

/** Groups events into runs of one type, so that one statement can apply a run. Keeps the order within each stream. */
export function* typeRuns<Event extends Projected<NewEvent>>(
  events: readonly Event[],
): Generator<{ type: string; events: Event[] }> {
  const waiting = new Map<string, Event[]>();
  for (const event of events) {
    const queue = waiting.get(event.stream);
    if (queue) queue.push(event);
    else waiting.set(event.stream, [event]);
  }
  // Reverse the queues, because taking an event from the end is cheap.
  for (const queue of waiting.values()) queue.reverse();
  while (waiting.size > 0) {
    const type = commonest([...waiting.values()].map((queue) => queue.at(-1)?.type as string));
    const run: Event[] = [];
    for (const [stream, queue] of waiting) {
      while (queue.at(-1)?.type === type) run.push(queue.pop() as Event);
      if (queue.length === 0) waiting.delete(stream);
    }
    yield { type, events: run };
  }
}

function commonest(types: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  let best = types[0] as string;
  for (const [type, count] of counts) if (count > (counts.get(best) ?? 0)) best = type;
  return best;
}
