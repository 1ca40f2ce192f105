import type { PoolClient } from 'pg';
import type { Clock } from '../../application/shared/clock.js';
import { CreditCommandStore } from '../../application/purchases/credit-command-store.js';
import type { BatchCommand } from '../../application/purchases/decide-credit-command.js';
import type { BatchDecision, DecisionContext } from '../../application/purchases/decision-context.js';
import type { Database } from '../platform/database/database.js';
import { loadDecisionContext } from './load-decision-context.js';
import { HEAD_MOVED, writeAtOnce, writeBatch } from './write-credit-batch.js';
import type { PostgresEventStore } from '../platform/event-log/postgres-event-store.js';

const ATTEMPTS = 3;
/** Another node was first at a key or a lock: the batch is read and decided again. */
const RETRYABLE = new Set(['23505', '40001', '40P01']);
/** So long after another node was seen to append, nothing is decided without locks. */
const CROWDED_MS = 1_000;

/**
 * The purchase path: four statements and a commit for a whole batch, in three round trips.
 *
 * Accounts are locked in key order, since batches that lock in arrival order deadlock. Every look-up is a
 * LATERAL by key with LIMIT 1, so that its plan stays right whatever the statistics say. The head of the log
 * is taken last and held only from numbering to commit.
 *
 * A purchase that comes alone takes no locks: it is read and written in one statement each, and the second fails
 * if the log has grown in between.
 */
export class PostgresCreditCommandStore extends CreditCommandStore {
  private running = 0;
  private crowdedUntilMs = 0;

  constructor(
    private readonly database: Database,
    private readonly eventStore: PostgresEventStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async transact(
    commands: readonly BatchCommand[],
    decide: (context: DecisionContext) => BatchDecision,
  ): Promise<BatchDecision> {
    this.running += 1;
    try {
      return (await this.runAlone(commands, decide)) ?? (await this.runLocked(commands, decide));
    } finally {
      this.running -= 1;
    }
  }

  /** @returns undefined when the command has to be decided under lock */
  private async runAlone(
    commands: readonly BatchCommand[],
    decide: (context: DecisionContext) => BatchDecision,
  ): Promise<BatchDecision | undefined> {
    const isAlone = this.running === 1 && commands.length === 1 && commands[0]?.type === 'BuySamples';
    if (!isAlone || performance.now() < this.crowdedUntilMs) return undefined;
    const { pipelines } = this.database;
    const { context, accountsBefore, head } = await loadDecisionContext(pipelines, commands, 'unlocked');
    const decision = decide(context);
    try {
      const position = await writeAtOnce(pipelines, decision, accountsBefore, head, this.clock.now());
      if (position > 0) this.eventStore.announce(position);
      return decision;
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code !== HEAD_MOVED && !RETRYABLE.has(code)) throw error;
      this.crowdedUntilMs = performance.now() + CROWDED_MS;
      return undefined;
    }
  }

  private async runLocked(
    commands: readonly BatchCommand[],
    decide: (context: DecisionContext) => BatchDecision,
  ): Promise<BatchDecision> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { decision, position } = await this.database.pipelinedTransaction((client) =>
          this.runOnce(client, commands, decide),
        );
        if (position > 0) this.eventStore.announce(position);
        return decision;
      } catch (error) {
        if (attempt === ATTEMPTS || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }

  private async runOnce(
    client: PoolClient,
    commands: readonly BatchCommand[],
    decide: (context: DecisionContext) => BatchDecision,
  ): Promise<{ result: { decision: BatchDecision; position: number }; last: Promise<unknown> }> {
    const { context, accountsBefore } = await loadDecisionContext(client, commands, 'locked');
    const decision = decide(context);
    const { position, last } = await writeBatch(client, decision, accountsBefore, this.clock.now());
    return { result: { decision, position }, last };
  }
}
