import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import type { SeenCause } from './alert-contract.js';
import { AlertQueries } from './queries.js';

/** Marks the alerts of a cause as seen. An interrupted command can be repeated. */
export class SeeCause extends Command<Outcome<object, { code: 'NotFound' }>> {
  constructor(
    readonly cause: SeenCause,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SeeCause)
export class SeeCauseHandler implements ICommandHandler<SeeCause> {
  constructor(
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ cause, by }: SeeCause): Promise<CommandResult<SeeCause>> {
    const keys = await this.alerts.unseen(cause);
    await forEachCollectingErrors(keys, (key) =>
      this.commands.execute(new DecideAlert({ type: 'SeeAlert', key, by }, by)),
    );
    return keys.length > 0 ? { accepted: true } : reject({ code: 'NotFound' });
  }
}
