import { Injectable } from '@nestjs/common';
import { creatorDecider, obstacleToPublicChange } from '../../domain/publishing/creator-access.js';
import { CommandBus } from '@nestjs/cqrs';
import { defaultHandle, handleCandidates } from '../../domain/profiles/handle.js';
import { defaultDisplayName, isDefaultHandle, isDefaultName } from '../accounts/default-name.js';
import { AccountStore, existingAccount } from '../accounts/account-store.js';
import { DisplayNames, type NameOutcome } from '../accounts/display-names.js';
import { EndVerification } from './end-verification.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import { ProfileStore, type HandleOwner } from './profile-store.js';

/** If more handles of one name are taken, something else is wrong. */
const CANDIDATES_LIMIT = 10_000;

/** The handles and display names of users. */
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
    // Read again, because a concurrent request may have claimed a handle first.
    const handle = await this.profiles.findHandleOf(userId);
    if (!handle) throw new Error(`The profile of ${userId} was not made`);
    return { handle };
  }

  /** Changes the handle. The former one still leads to the user. @returns undefined if another user has it */
  async rename(userId: string, wanted: string): Promise<{ handle: string } | undefined> {
    const handle = defaultHandle(wanted);
    return (await this.profiles.claim(userId, handle, this.clock.now())) ? { handle } : undefined;
  }

  /** Sets a chosen display name. Replaces a handle that came from a default name, if the new one is free. */
  async chooseName(userId: string, displayName: string): Promise<NameOutcome> {
    const chosen = await this.setName(userId, displayName);
    const handle = chosen.accepted && (await this.profiles.findHandleOf(userId));
    if (handle && isDefaultHandle(handle)) await this.rename(userId, displayName);
    return chosen;
  }

  /** Replaces a default name, because two users can get the same. @returns false if the user chose a name */
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

  /** @returns the user with this current or former handle */
  async findOwner(handle: string): Promise<HandleOwner | undefined> {
    return this.profiles.findOwner(handle);
  }
}
