import * as z from 'zod';

const Answer = z.object({ offsetSeconds: z.number() });
const FIRST_ANSWER_MS = 3_000;
/** The simulator answers only when its clock changes, after 25 s at most. */
const ANSWER_MS = 40_000;
const PAUSE_MS = 1_000;

/** Thrown if the server is not our payment simulator and so has no clock to follow. */
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

/** Returns how far the clock of the payment simulator is ahead, in milliseconds; 0 if no simulator answers. */
export async function offsetOf(apiBase: string): Promise<number> {
  const offset = await ask(apiBase, undefined, AbortSignal.timeout(FIRST_ANSWER_MS)).catch(() => 0);
  return offset * 1000;
}

/** Follows the clock of the payment simulator, so that all processes share its date. Asks once if there is no clock. */
export async function followCalendar(apiBase: string) {
  const ended = new AbortController();
  let known: number | undefined;
  const learn = async (limitMs: number): Promise<boolean> => {
    try {
      known = await ask(apiBase, known, AbortSignal.any([ended.signal, AbortSignal.timeout(limitMs)]));
      return true;
    } catch (error) {
      if (error instanceof NoCalendar) return false;
      // The simulator does not answer: keep its last known offset and ask again.
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
