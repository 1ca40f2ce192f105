import { Clock } from '../../application/shared/clock.js';

const DAY_MS = 24 * 60 * 60_000;

/** A clock that stands at the moment of the demo's history that is being written. */
export class DemoClock extends Clock {
  private at: Date;

  constructor(private readonly today: Date) {
    super();
    this.at = today;
  }

  override now(): Date {
    return this.at;
  }

  /** Moves to this many days before the start; fractions are allowed. */
  moveTo(daysAgo: number): void {
    this.at = new Date(this.today.getTime() - daysAgo * DAY_MS);
  }
}
