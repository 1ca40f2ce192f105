const HOUR_MS = 3_600_000;

/** Reports the first call and then once an hour, with the number of calls since the last report. */
export function hourly(report: (times: number) => void, now: () => number = Date.now): () => void {
  let times = 0;
  let toldAt = -Infinity;
  return () => {
    times += 1;
    if (now() - toldAt < HOUR_MS) return;
    report(times);
    toldAt = now();
    times = 0;
  };
}
