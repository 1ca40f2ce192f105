import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../domain/shared/decision.js';
import { payoutDecider, type PayoutRejection, type SettlementCommand } from '../../domain/payouts/payouts.js';
import type { Transfer } from '../payments/payout-gateway.js';
import type { Cause } from '../shared/event-store.js';
import { setAside } from '../alerts/set-aside.js';
import { Streams } from '../shared/streams.js';

/** Records the provider's report of a withdrawal. Raises an alert if the report contradicts our record. */
export class RecordSettlement extends Command<Outcome<object, PayoutRejection>> {
  constructor(
    readonly creatorId: string,
    readonly settlement: SettlementCommand,
    readonly cause: Cause,
  ) {
    super();
  }
}

@CommandHandler(RecordSettlement)
export class RecordSettlementHandler implements ICommandHandler<RecordSettlement> {
  constructor(
    private readonly streams: Streams,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: RecordSettlement): Promise<CommandResult<RecordSettlement>> {
    const { creatorId, settlement, cause } = command;
    const { withdrawalId } = settlement;
    const metadata = { ...cause, correlationId: `withdrawal-${withdrawalId}` };
    const outcome = await this.streams.execute(payoutDecider, creatorId, settlement, metadata);
    if (outcome.accepted) return outcome;
    const { rejection } = outcome;
    const detail =
      'detail' in rejection ? rejection.detail : `${settlement.type} was refused: ${rejection.code}`;
    await this.commands.execute(
      setAside('withdrawal', withdrawalId, `withdrawal ${withdrawalId}: ${detail}`, cause),
    );
    return outcome;
  }
}

/** Returns the command that records a transfer, which exists at the provider. */
export const recordTransfer = (
  { creatorId, withdrawalId }: { creatorId: string; withdrawalId: string },
  { transferId, amountUsdCents, createdAt }: Transfer,
  now: Date,
  cause: Cause,
): RecordSettlement => {
  const times = { now: now.toISOString(), at: createdAt.toISOString() };
  const settlement = { type: 'RecordTransfer', withdrawalId, transferId, amountUsdCents, ...times } as const;
  return new RecordSettlement(creatorId, settlement, cause);
};
