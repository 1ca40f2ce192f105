import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountMapDecider, type MappedAccount } from '../../../domain/ledger/account-map.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';

/** Maps our accounts to those of another bookkeeping system. */
export class ChangeAccountMap extends Command<void> {
  constructor(
    readonly accounts: readonly MappedAccount[],
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeAccountMap)
export class ChangeAccountMapHandler implements ICommandHandler<ChangeAccountMap> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ accounts, by }: ChangeAccountMap): Promise<void> {
    const now = this.clock.now().toISOString();
    await this.streams.execute(
      accountMapDecider,
      undefined,
      { type: 'ChangeAccountMap', accounts, by, now },
      { actor: by, correlationId: accountMapDecider.streamOf() },
    );
  }
}
