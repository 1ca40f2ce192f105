const HOUR_MS = 3_600_000;

/** Returns a function that counts its calls. It reports the first call at once, and then the number once an hour. */
export function hourly(report: (times: number) => void, now: () => number = Date.now): () => void {
  let times = 0;
  let reportedAt = -Infinity;
  return () => {
    times += 1;
    if (now() - reportedAt < HOUR_MS) return;
    report(times);
    reportedAt = now();
    times = 0;
  };
}
