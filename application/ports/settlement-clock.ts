import { Clock } from './clock.js';

/**
 * The payment provider's calendar, by which earnings are held and become available: our own clock, except
 * with the simulator, whose days can be skipped.
 */
export class SettlementClock extends Clock {
  constructor(private readonly read: () => Date) {
    super();
  }

  now(): Date {
    return this.read();
  }
}
