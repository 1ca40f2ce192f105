import * as z from 'zod';

/** The calendar of a payment simulator. */
export interface SimulatedCalendar {
  /** By how much it is ahead of the clock on the wall; 0 where there is none. */
  offsetMs(): number;
  close(): void;
}

const Answer = z.object({ offsetSeconds: z.number() });
const FIRST_ANSWER_MS = 3_000;
/** The simulator delays an answer for 25 s at most. */
const ANSWER_MS = 40_000;
const PAUSE_MS = 1_000;

/** The server is no simulator and has no calendar of its own. */
class NoCalendar extends Error {}

async function ask(apiBase: string, known: number | undefined, signal: AbortSignal): Promise<number> {
  const url = new URL('/_test/clock', apiBase);
  if (known !== undefined) url.searchParams.set('known', String(known));
  const response = await fetch(url, { signal, redirect: 'manual' });
  if (response.status >= 500) throw new Error(`the simulator's clock answers ${response.status}`);
  const answer = Answer.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !answer.success) throw new NoCalendar();
  return answer.data.offsetSeconds;
}

/** How far the simulator that may be at an address is ahead, asked once. */
export async function offsetOf(apiBase: string): Promise<number> {
  const offset = await ask(apiBase, undefined, AbortSignal.timeout(FIRST_ANSWER_MS)).catch(() => 0);
  return offset * 1000;
}

/**
 * Follows the calendar of the simulator at an address, so that every process that shares it dates alike. A server
 * of another make has none, and is asked once.
 */
export async function followCalendar(apiBase: string): Promise<SimulatedCalendar> {
  const ended = new AbortController();
  let known: number | undefined;
  const learn = async (limitMs: number): Promise<boolean> => {
    try {
      known = await ask(apiBase, known, AbortSignal.any([ended.signal, AbortSignal.timeout(limitMs)]));
      return true;
    } catch (error) {
      if (error instanceof NoCalendar) return false;
      // The simulator is away: its last known offset stays valid until it is back.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
      return true;
    }
  };
  const follow = async (): Promise<void> => {
    while (!ended.signal.aborted && (await learn(ANSWER_MS)));
  };
  if (await learn(FIRST_ANSWER_MS)) void follow();
  return { offsetMs: () => (known ?? 0) * 1000, close: () => ended.abort() };
}
