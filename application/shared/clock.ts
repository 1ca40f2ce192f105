import { setTimeout as pause } from 'node:timers/promises';

/**
 * The calendar that dates purchases, sales, holds, periods, statements and payouts. It shows the real time, except with
 * the payment simulator, whose clock can skip days. Tests stop or move the calendar.
 */
export abstract class Clock {
  /** For the type checker only: prevents passing a movable calendar where the wall clock is needed. */
  declare readonly movable?: boolean;
  abstract now(): Date;
}

/** The wall clock, which cannot be moved: for sessions, signed addresses, limits, files and logs. */
export abstract class WallClock extends Clock {
  declare readonly movable?: false;
}

export abstract class Pause {
  abstract for(ms: number): Promise<void>;
}

export class SystemPause implements Pause {
  async for(ms: number): Promise<void> {
    await pause(ms);
  }
}

export class SystemClock extends WallClock {
  now(): Date {
    return new Date();
  }
}

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
