import type { BatchCommand } from './decide-credit-command.js';
import type { BatchDecision, DecisionContext } from './decision-context.js';

/** Runs one batch of commands in one transaction, with everything it depends on under lock. */
export abstract class CreditCommandStore {
  /** `decide` is pure: where another node was first, it runs again on what is then read. */
  abstract transact(
    commands: readonly BatchCommand[],
    decide: (context: DecisionContext) => BatchDecision,
  ): Promise<BatchDecision>;
}
