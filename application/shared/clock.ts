/**
 * The business's calendar: what purchases, sales, holds, periods, statements and payouts are dated by. Our own
 * clock, except with the payment simulator, whose days can be skipped. Tests hold it still or move it.
 */
export abstract class Clock {
  /** In types alone: where the time on the wall is asked for, a calendar that can be moved is not taken. */
  declare readonly movable?: boolean;
  abstract now(): Date;
}

/** The clock on the wall, which nobody can move: for sessions, signed addresses, limits, files and logs. */
export abstract class WallClock extends Clock {
  declare readonly movable?: false;
}

export class SystemClock extends WallClock {
  now(): Date {
    return new Date();
  }
}

/** The clock on the wall, moved by as much as the payment provider's calendar is. */
export class BusinessClock extends Clock {
  constructor(
    private readonly wall: WallClock,
    private readonly offsetMs: () => number,
  ) {
    super();
  }

  now(): Date {
    return new Date(this.wall.now().getTime() + this.offsetMs());
  }
}
