import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import { reject } from '../../domain/shared/decision.js';
import { AccountStore } from '../accounts/account-store.js';
import { isUnconfirmed } from '../accounts/placeholders.js';
import { isDefaultName } from '../accounts/values.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import { Creators, type NoAccess } from './creators/creators.js';
import { CopyCheck } from './sounds/copy-check.js';
import { Packs, type PackOutcome, type PackWriter, type WithoutActor } from './packs.js';

/** A request waits this long for the search to contain a change, so that the publisher finds the pack at once. */
const SEARCH_WAIT_MS = 2_000;
const SEARCH = 'catalogue-search';

/** Nothing of a person becomes public before the person has chosen a name and confirmed the e-mail address. */
export type OfferRefusal = NoAccess | { code: 'DisplayNameNeeded' | 'EmailConfirmationNeeded' };

type OfferDecision = WithoutActor<
  Extract<
    PackCommand,
    { type: 'PublishPack' | 'UnpublishPack' | 'DeletePack' | 'ScheduleRelease' | 'CancelRelease' }
  >
>;

/** Puts a pack on sale, now or later, or takes it off. Answers once the search contains the change, or after a limit. */
abstract class ChangeOffer extends Command<PackOutcome<OfferRefusal>> {
  abstract readonly decision: OfferDecision;

  constructor(readonly writer: PackWriter) {
    super();
  }
}

export class PublishPack extends ChangeOffer {
  readonly decision = { type: 'PublishPack' } as const;
}

export class ScheduleRelease extends ChangeOffer {
  readonly decision;

  constructor(writer: PackWriter, releaseAt: string) {
    super(writer);
    this.decision = { type: 'ScheduleRelease', releaseAt } as const;
  }
}

export class CancelRelease extends ChangeOffer {
  readonly decision = { type: 'CancelRelease' } as const;
}

export class UnpublishPack extends ChangeOffer {
  readonly decision = { type: 'UnpublishPack' } as const;
}

export class DeletePack extends ChangeOffer {
  readonly decision = { type: 'DeletePack' } as const;
}

@CommandHandler(ChangeOffer)
export class ChangeOfferHandler implements ICommandHandler<ChangeOffer> {
  constructor(
    private readonly packs: Packs,
    private readonly creators: Creators,
    private readonly progress: ReadModelProgress,
    private readonly copies: CopyCheck,
    private readonly accounts: AccountStore,
  ) {}

  async execute({ writer, decision }: ChangeOffer): Promise<PackOutcome<OfferRefusal>> {
    if (decision.type === 'PublishPack' || decision.type === 'ScheduleRelease') {
      const obstacle = await this.creators.obstacle(writer.userId);
      if (obstacle) return reject(obstacle);
      const account = await this.accounts.findById(writer.userId);
      if (account && isDefaultName(account.displayName)) return reject({ code: 'DisplayNameNeeded' });
      if (account && isUnconfirmed(account)) return reject({ code: 'EmailConfirmationNeeded' });
      await this.copies.beforePublishing(writer);
    }
    const outcome = await this.packs.decide(writer, decision);
    if (outcome.accepted && outcome.position !== undefined)
      await this.progress.caughtUp(outcome.position, SEARCH_WAIT_MS, [SEARCH]);
    return outcome;
  }
}
