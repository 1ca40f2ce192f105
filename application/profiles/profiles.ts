import { isDefaultName } from '../accounts/values.js';
import { Command, CommandHandler, CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { verificationDecider, type VerificationRejection } from '../../domain/publishing/verification.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { creatorDecider, obstacleToPublicChange } from '../../domain/publishing/creator-access.js';
import { defaultHandle, handleCandidates } from '../../domain/profiles/handle.js';
import {
  DisplayNames,
  defaultDisplayName,
  isDefaultHandle,
  AccountStore,
  existingAccount,
  type NameTaken,
  type NameOutcome,
} from '../accounts/account-store.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { ProfileStore, type HandleOwner } from './profile-store.js';

export type VerificationOutcome = Outcome<
  { verified: boolean },
  VerificationRejection | NameTaken | { code: 'NotFound' | 'StaleVersion' }
>;

export class EndVerification extends Command<VerificationOutcome> {
  /** @param isRename true if the creator changed the name, false if an administrator ended the verification */
  constructor(
    readonly userId: string,
    readonly by: string,
    readonly isRename = false,
  ) {
    super();
  }
}

@CommandHandler(EndVerification)
export class EndVerificationHandler implements ICommandHandler<EndVerification> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
    private readonly names: DisplayNames,
  ) {}

  async execute({ userId, by, isRename }: EndVerification): Promise<VerificationOutcome> {
    // A rename already cleared the verified name. `setVerified` would also clear the former verified name, which
    // staff need to review the rename.
    if (!isRename) await this.names.setVerified(userId, null);
    const command = { type: 'EndVerification', userId, by, now: this.clock.now().toISOString() } as const;
    const outcome = await this.streams.execute(verificationDecider, userId, command, { actor: by });
    return outcome.accepted ? { accepted: true, verified: false } : outcome;
  }
}

/** Maximum number of handles to try for one name. So many taken handles would be a bug. */
const CANDIDATES_LIMIT = 10_000;

@Injectable()
export class Profiles {
  constructor(
    private readonly profiles: ProfileStore,
    private readonly accounts: AccountStore,
    private readonly streams: Streams,
    private readonly names: DisplayNames,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** @returns why this user may not change public data; undefined if they may */
  async obstacle(userId: string): Promise<ReturnType<typeof obstacleToPublicChange>> {
    return obstacleToPublicChange((await this.streams.load(creatorDecider, userId)).status);
  }

  /** Returns the user's handle. The first call derives it from the display name. Idempotent. */
  async ensure(userId: string): Promise<{ handle: string }> {
    const found = await this.profiles.findHandleOf(userId);
    if (found) return { handle: found };
    const account = await existingAccount(this.accounts, userId);
    let tried = 0;
    for (const handle of handleCandidates(account.displayName)) {
      if (await this.profiles.claim(userId, handle, this.clock.now())) break;
      if (++tried > CANDIDATES_LIMIT) throw new Error(`No handle is left for ${account.displayName}`);
    }
    // The handle is read again, because a concurrent request may have claimed one first.
    const handle = await this.profiles.findHandleOf(userId);
    if (!handle) throw new Error(`The profile of ${userId} was not made`);
    return { handle };
  }

  /** Changes the handle. The former handle still leads to the user. @returns undefined if the new one is taken */
  async rename(userId: string, wanted: string): Promise<{ handle: string } | undefined> {
    const handle = defaultHandle(wanted);
    return (await this.profiles.claim(userId, handle, this.clock.now())) ? { handle } : undefined;
  }

  /** Sets the name that a user chose. Also replaces a handle that came from a default name, if the new one is free. */
  async chooseName(userId: string, displayName: string): Promise<NameOutcome> {
    const chosen = await this.setName(userId, displayName);
    const handle = chosen.accepted && (await this.profiles.findHandleOf(userId));
    if (handle && isDefaultHandle(handle)) await this.rename(userId, displayName);
    return chosen;
  }

  /** Replaces a default name by another, in case two users have the same. @returns false if the user chose the name */
  async renewDefaultName(userId: string): Promise<boolean> {
    if (!isDefaultName((await existingAccount(this.accounts, userId)).displayName)) return false;
    await this.chooseName(userId, defaultDisplayName());
    return true;
  }

  /** Changes only the display name. A new name ends the verification. */
  async setName(userId: string, displayName: string): Promise<NameOutcome> {
    const chosen = await this.names.choose(userId, displayName);
    if (chosen.accepted && chosen.wasVerified)
      await this.commands.execute(new EndVerification(userId, userId, true));
    return chosen;
  }

  async findOwner(handle: string): Promise<HandleOwner | undefined> {
    return this.profiles.findOwner(handle);
  }
}
