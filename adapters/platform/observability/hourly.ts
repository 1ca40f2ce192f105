const HOUR_MS = 3_600_000;

/**
 * Counts what happens, and tells of it at the first time and then once an hour.
 * @param tell gets how often it happened since it was told last
 */
export function hourly(tell: (times: number) => void, now: () => number = Date.now): () => void {
  let times = 0;
  let toldAt = -Infinity;
  return () => {
    times += 1;
    if (now() - toldAt < HOUR_MS) return;
    tell(times);
    toldAt = now();
    times = 0;
  };
}
