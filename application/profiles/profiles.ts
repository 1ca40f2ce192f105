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

/** Past this many people of one name something else is wrong. */
const CANDIDATES_LIMIT = 10_000;

/** The handles under which people are found. */
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

  /** What keeps this user from changing what the public sees of them; undefined if nothing does. */
  async obstacle(userId: string): Promise<ReturnType<typeof obstacleToPublicChange>> {
    return obstacleToPublicChange((await this.streams.load(creatorDecider, userId)).status);
  }

  /** The user's handle; the first time it is made from the display name. Repeating it changes nothing. */
  async ensure(userId: string): Promise<{ handle: string }> {
    const found = await this.profiles.findHandleOf(userId);
    if (found) return { handle: found };
    const account = await existingAccount(this.accounts, userId);
    let tried = 0;
    for (const handle of handleCandidates(account.displayName)) {
      if (await this.profiles.claim(userId, handle, this.clock.now())) break;
      if (++tried > CANDIDATES_LIMIT) throw new Error(`No handle is left for ${account.displayName}`);
    }
    // Read again: a simultaneous request may have been first.
    const handle = await this.profiles.findHandleOf(userId);
    if (!handle) throw new Error(`The profile of ${userId} was not made`);
    return { handle };
  }

  /** Changes the handle; the former one still leads here. @returns undefined if another person has it */
  async rename(userId: string, wanted: string): Promise<{ handle: string } | undefined> {
    const handle = defaultHandle(wanted);
    return (await this.profiles.claim(userId, handle, this.clock.now())) ? { handle } : undefined;
  }

  /** A chosen display name. It replaces a made-up handle by one made of the name, if that is free. */
  async chooseName(userId: string, displayName: string): Promise<NameOutcome> {
    const chosen = await this.setName(userId, displayName);
    const handle = chosen.accepted && (await this.profiles.findHandleOf(userId));
    if (handle && isDefaultHandle(handle)) await this.rename(userId, displayName);
    return chosen;
  }

  /** Two people can get the same default name. @returns false if the person chose a name */
  async renewDefaultName(userId: string): Promise<boolean> {
    if (!isDefaultName((await existingAccount(this.accounts, userId)).displayName)) return false;
    await this.chooseName(userId, defaultDisplayName());
    return true;
  }

  /** Changes the display name alone. A new name ends the verification. */
  async setName(userId: string, displayName: string): Promise<NameOutcome> {
    const chosen = await this.names.choose(userId, displayName);
    if (chosen.accepted && chosen.wasVerified)
      await this.commands.execute(new EndVerification(userId, userId, true));
    return chosen;
  }

  /** The person with this handle, present or former. */
  async findOwner(handle: string): Promise<HandleOwner | undefined> {
    return this.profiles.findOwner(handle);
  }
}
