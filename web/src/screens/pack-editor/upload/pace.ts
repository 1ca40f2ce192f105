/** Transfers are averaged over this time, because single parts come in bursts. */
const WINDOW_MS = 15_000;
/** A shorter time says nothing about the speed. */
const LEAST_MS = 2_000;

/** Measures the speed of transfers. Times are milliseconds of any clock that never goes back. */
export class Pace {
  private points: { atMs: number; bytes: number }[] = [];

  add(bytes: number, atMs: number): void {
    this.points = [...this.points.filter((point) => point.atMs > atMs - WINDOW_MS), { atMs, bytes }];
  }

  /** Starts again, such as after a pause. */
  reset(): void {
    this.points = [];
  }

  /** Bytes a second; null until the transfers cover at least `LEAST_MS`. */
  bytesPerSecond(): number | null {
    const [first] = this.points;
    const last = this.points.at(-1);
    if (!first || !last || last.atMs - first.atMs < LEAST_MS) return null;
    const sum = this.points.slice(1).reduce((total, { bytes }) => total + bytes, 0);
    return sum > 0 ? (sum * 1_000) / (last.atMs - first.atMs) : null;
  }
}

/** "40 s left", "3 min left", "2 h left". */
export function formatLeft(seconds: number): string {
  if (seconds < 55) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} s left`;
  if (seconds < 55 * 60) return `${Math.ceil(seconds / 60)} min left`;
  return `${Math.ceil(seconds / 3_600)} h left`;
}
