/** The speed is an average over this time, because single transfers come in bursts. */
const WINDOW_MS = 15_000;
/** The speed is unknown until transfers cover at least this time. */
const LEAST_MS = 2_000;
/** Transfers that have moved no byte for longer than this are stalled. */
const SILENCE_MS = 5_000;

/** Measures the speed of transfers. Times are milliseconds of any clock that never goes back. */
export class Pace {
  private points: { atMs: number; bytes: number }[] = [];
  private beganMs = Infinity;

  add(bytes: number, atMs: number): void {
    this.points = [...this.points.filter((point) => point.atMs > atMs - WINDOW_MS), { atMs, bytes }];
  }

  isStalled(nowMs: number): boolean {
    return nowMs - (this.points.at(-1)?.atMs ?? this.beganMs) > SILENCE_MS;
  }

  /** Forgets all transfers, for example when the creator pauses the uploads. The next ones begin now. */
  reset(nowMs: number): void {
    this.points = [];
    this.beganMs = nowMs;
  }

  /** The bytes per second at the last transfer; null until the transfers cover at least `LEAST_MS`. */
  bytesPerSecond(): number | null {
    const [first] = this.points;
    const last = this.points.at(-1);
    if (!first || !last || last.atMs - first.atMs < LEAST_MS) return null;
    const sum = this.points.slice(1).reduce((total, { bytes }) => total + bytes, 0);
    return sum > 0 ? (sum * 1_000) / (last.atMs - first.atMs) : null;
  }
}

/** Formats a remaining time, such as "40 s left", "3 min left" or "2 h left". */
export function formatLeft(seconds: number): string {
  if (seconds < 55) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} s left`;
  if (seconds < 55 * 60) return `${Math.ceil(seconds / 60)} min left`;
  return `${Math.ceil(seconds / 3_600)} h left`;
}
