import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { limitsDecider } from '../../domain/approvals/limits-set.js';
import { debtMicroUsd, payoutDecider, type PayoutCommand } from '../../domain/payouts/payouts.js';
import { PAYOUT_POLICY, forgivenBefore, releasedBefore } from '../../domain/payouts/policy.js';
import { RequestApproval } from '../approvals/decide-on-request.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { EarningsQueries } from './queries.js';

export const WRITE_OFF = 'system:write-off';

/** Writes off a creator's debt, or the part that a second person approved. Does nothing if there is no debt. */
export class WriteOffDebt extends Command<void> {
  constructor(readonly debt: Omit<Extract<PayoutCommand, { type: 'WriteOffDebt' }>, 'type'>) {
    super();
  }
}

@CommandHandler(WriteOffDebt)
export class WriteOffDebtHandler implements ICommandHandler<WriteOffDebt> {
  constructor(private readonly streams: Streams) {}

  async execute({ debt }: WriteOffDebt): Promise<void> {
    const { creatorId } = debt;
    const metadata = { actor: WRITE_OFF, correlationId: `write-off-${creatorId}` };
    await this.streams.execute(payoutDecider, creatorId, { type: 'WriteOffDebt', ...debt }, metadata);
  }
}

/** Writes off creators' debts after 180 days. Debts arise when paid-out sales are undone. Large debts need approval. */
@Injectable()
export class WriteOffDebts {
  constructor(
    private readonly commands: CommandBus,
    private readonly earnings: EarningsQueries,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** Safe to run concurrently: the second worker finds no debt. */
  async run(): Promise<void> {
    const { limits } = await this.streams.load(limitsDecider, undefined);
    for (const creatorId of await this.earnings.owingSince(forgivenBefore(this.clock.now()))) {
      const { earned, heldMicroUsd } = await this.balanceOf(creatorId);
      const owed = debtMicroUsd(await this.streams.load(payoutDecider, creatorId), earned, heldMicroUsd);
      await (owed > limits.writeOffMicroUsd ? this.ask(creatorId, owed) : this.writeOff(creatorId));
    }
  }

  /** @param consent the approval of a second person, required above the limit */
  async writeOff(
    creatorId: string,
    consent?: { approvalId: string; approvedBy: string; mostMicroUsd: number },
  ): Promise<void> {
    const debt = { creatorId, ...(await this.balanceOf(creatorId)), ...(consent && { consent }) };
    await this.commands.execute(new WriteOffDebt({ ...debt, now: this.clock.now().toISOString() }));
  }

  /** Requests an approval, at most once a month while the debt exists. */
  private async ask(creatorId: string, amountMicroUsd: number): Promise<void> {
    const month = this.clock.now().toISOString().slice(0, 7);
    await this.commands.execute(
      new RequestApproval({
        approvalId: createHash('sha256').update(`${creatorId} ${month}`).digest('hex').slice(0, 32),
        work: { kind: 'write-off', creatorId, amountMicroUsd },
        by: WRITE_OFF,
        beneficiary: creatorId,
        reason: `Owed for ${PAYOUT_POLICY.writeOffAfterDays} days, after sales that were paid out had been undone.`,
      }),
    );
  }

  private async balanceOf(creatorId: string) {
    const { heldMicroUsd, releasedMicroUsd, reversedMicroUsd } = await this.earnings.sums(
      creatorId,
      releasedBefore(this.clock.now()),
    );
    return { heldMicroUsd, earned: { releasedMicroUsd, reversedMicroUsd } };
  }
}
