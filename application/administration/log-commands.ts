import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  logRestoreDecider,
  skippedEventDecider,
  type IgnoredHeads,
} from '../../domain/administration/log-changes.js';
import type { Reason } from '../../domain/shared/remark.js';
import { signRestore } from '../operations/signed-heads.js';
import { Clock, WallClock } from '../shared/clock.js';
import { SigningKeys } from '../shared/keys/signing-keys.js';
import { Streams } from '../shared/streams.js';

/**
 * Records that a backup replaced the log. Has no effect if a restore with the same `approvalId` is already
 * recorded.
 */
export class RecordRestore extends Command<void> {
  constructor(readonly restore: IgnoredHeads & Reason) {
    super();
  }
}

@CommandHandler(RecordRestore)
export class RecordRestoreHandler implements ICommandHandler<RecordRestore> {
  constructor(
    private readonly streams: Streams,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly wallClock: WallClock,
  ) {}

  async execute({ restore }: RecordRestore): Promise<void> {
    const signed = signRestore(restore, await this.keys.of('log-heads'), this.wallClock.now());
    const now = this.clock.now().toISOString();
    const command = { type: 'RecordRestore', restore: { ...restore, ...signed }, now } as const;
    const metadata = { actor: restore.by, correlationId: restore.approvalId };
    await this.streams.execute(logRestoreDecider, undefined, command, metadata);
  }
}

/** Records that a projection or reactor skips an event that it failed to handle. */
export class SkipParkedEvent extends Command<void> {
  constructor(
    readonly subscription: string,
    readonly position: number,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SkipParkedEvent)
export class SkipParkedEventHandler implements ICommandHandler<SkipParkedEvent> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ subscription, position, reason, by }: SkipParkedEvent): Promise<void> {
    const now = this.clock.now().toISOString();
    const command = { type: 'SkipParkedEvent', subscription, position, reason, by, now } as const;
    const correlationId = skippedEventDecider.streamOf(subscription);
    const metadata = { actor: by, correlationId, causationId: String(position) };
    await this.streams.execute(skippedEventDecider, subscription, command, metadata);
  }
}
