/** One of the compared variants. */
export interface Contender {
  name: string;
  /** Runs for the given time. @returns the number of calls, and the latency of each (ms) */
  run(durationMs: number): Promise<{ done: number; latenciesMs: number[] }>;
}

export interface Result {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /**
   * Processor time per call, client and server together: the lower quartile of the rounds, which other work on the
   * machine changes least. Absent if not measured.
   */
  cpuUs?: number;
}

interface SideBySideOptions {
  rounds?: number;
  durationMs?: number;
  /** Returns the processor time of all involved processes so far. */
  cpuMs?(): number;
}

/** Runs all contenders in turn for several rounds, under the same conditions. @returns medians of the rounds */
export async function sideBySide(
  contenders: Contender[],
  { rounds = 3, durationMs = 4_000, cpuMs }: SideBySideOptions = {},
): Promise<Result[]> {
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const latencies = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const cpu = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await contender.run(500);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run } of contenders) {
      const startedAt = performance.now();
      const cpuBefore = cpuMs?.() ?? 0;
      const { done, latenciesMs } = await run(durationMs);
      if (cpuMs) cpu.get(name)?.push(((cpuMs() - cpuBefore) * 1_000) / done);
      rates.get(name)?.push(done / ((performance.now() - startedAt) / 1_000));
      for (const latency of latenciesMs) latencies.get(name)?.push(latency);
    }
  }
  return contenders.map(({ name }) => ({
    name,
    perSecond: quantile(rates.get(name) ?? [], 0.5),
    p50Ms: quantile(latencies.get(name) ?? [], 0.5),
    p99Ms: quantile(latencies.get(name) ?? [], 0.99),
    ...(cpuMs ? { cpuUs: quantile(cpu.get(name) ?? [], 0.25) } : {}),
  }));
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Keeps `inFlight` calls of `work` running until the time is over. */
export async function keepInFlight(
  inFlight: number,
  durationMs: number,
  work: () => Promise<unknown>,
): Promise<{ done: number; latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  const until = performance.now() + durationMs;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < until) {
        const startedAt = performance.now();
        await work();
        latenciesMs.push(performance.now() - startedAt);
      }
    }),
  );
  return { done: latenciesMs.length, latenciesMs };
}

/** Prints a table, with each rate as a ratio to the rate of `base`. */
export function print(results: Result[], base: string): void {
  const baseline = results.find((result) => result.name === base)?.perSecond ?? Number.NaN;
  for (const { name, perSecond, p50Ms, p99Ms, cpuUs } of results) {
    const columns = [
      name.padEnd(62),
      `${Math.round(perSecond).toLocaleString('en')}/s`.padStart(12),
      `×${(perSecond / baseline).toFixed(2)}`.padStart(8),
      `p50 ${p50Ms.toFixed(1)} ms`.padStart(14),
      `p99 ${p99Ms.toFixed(1)} ms`.padStart(14),
      cpuUs === undefined ? '' : `CPU ${Math.round(cpuUs).toLocaleString('en')} µs`.padStart(14),
    ];
    console.log(columns.join(' '));
  }
}
