import type { DeskCommand } from './decide-credit-command.js';
import type { DeskDecision, Situation } from './decision-context.js';

/** Runs one batch of the desk in one transaction, with everything it depends on under lock. */
export abstract class DeskStore {
  /** `decide` is pure: where another node was first, it runs again on what is then read. */
  abstract transact(
    commands: readonly DeskCommand[],
    decide: (situation: Situation) => DeskDecision,
  ): Promise<DeskDecision>;
}
