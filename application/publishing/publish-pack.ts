import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/shared/decision.js';
import { AccountStore } from '../accounts/account-store.js';
import { isDefaultName } from '../accounts/values.js';
import { ReadModelProgress } from '../shared/read-model-progress.js';
import { Creators, type NoAccess } from './creators/creators.js';
import { CopyCheck } from './sounds/copy-check.js';
import { Packs, type PackOutcome, type PackWriter } from './packs.js';

/** A request waits this long for the search to contain a change, so that the publisher finds the pack at once. */
const SEARCH_WAIT_MS = 2_000;
const SEARCH = 'catalogue-search';

/** `DisplayNameNeeded`: nothing of a person becomes public before the person has chosen a name. */
export type OfferRefusal = NoAccess | { code: 'DisplayNameNeeded' };

/** Puts a pack on sale or takes it off. Answers once the search contains the change, or after a time limit. */
export abstract class ChangeOffer extends Command<PackOutcome<OfferRefusal>> {
  abstract readonly type: 'PublishPack' | 'UnpublishPack' | 'DeletePack';

  constructor(readonly writer: PackWriter) {
    super();
  }
}

export class PublishPack extends ChangeOffer {
  readonly type = 'PublishPack';
}

export class UnpublishPack extends ChangeOffer {
  readonly type = 'UnpublishPack';
}

export class DeletePack extends ChangeOffer {
  readonly type = 'DeletePack';
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

  async execute({ writer, type }: ChangeOffer): Promise<PackOutcome<OfferRefusal>> {
    if (type === 'PublishPack') {
      const obstacle = await this.creators.obstacle(writer.userId);
      if (obstacle) return reject(obstacle);
      const account = await this.accounts.findById(writer.userId);
      if (account && isDefaultName(account.displayName)) return reject({ code: 'DisplayNameNeeded' });
      await this.copies.beforePublishing(writer);
    }
    const outcome = await this.packs.decide(writer, { type });
    if (outcome.accepted && outcome.position !== undefined)
      await this.progress.caughtUp(outcome.position, SEARCH_WAIT_MS, [SEARCH]);
    return outcome;
  }
}
