import { Inject, Injectable, Optional } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { removePicture } from '../media/narrow-pictures.js';
import { AccountStore } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { ForgetFolders } from '../storage/forget-folders.js';

/** `claim`: with `code`, the owed money can still be collected after the erasure. */
export type EraseOutcome = Outcome<
  { claim?: { code: string; payableUntil: string; owedMicroUsd: number } },
  { code: 'PayoutOwed'; owedMicroUsd: number; availableMicroUsd: number }
>;

/** What other contexts do when a user erases the account. */
export abstract class AccountClosing {
  /** Runs before the erasure, possibly several times. An error prevents the erasure. */
  abstract close(userId: string): Promise<void>;
  /** Returns the money that we owe the user, which the erasure would forfeit. */
  abstract owed(userId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }>;
  /** Makes the owed money payable to the holder of a code. */
  abstract claim(userId: string): Promise<{ code: string; payableUntil: string }>;
  /** Runs after the erasure: other contexts remove their data about the user. If it fails, a sweep repeats it. */
  abstract erased(userId: string): Promise<void>;
}

/** Removes stored files that name a person, such as the public profile. */
export abstract class ProfileErasure {
  abstract remove(userId: string): Promise<void>;
}

@Injectable()
export class PersonalData {
  constructor(
    private readonly accounts: AccountStore,
    private readonly storage: ObjectStorage,
    private readonly clock: WallClock,
    private readonly profileFiles: ProfileErasure,
    private readonly folders: ForgetFolders,
    @Optional() @Inject(AccountClosing) private readonly others?: AccountClosing,
  ) {}

  /** Removes all personal data. The books keep the user id, which does not identify the person. */
  async erase(userId: string, { claimPayout = false } = {}): Promise<EraseOutcome> {
    const owed = (await this.others?.owed(userId)) ?? { owedMicroUsd: 0, availableMicroUsd: 0 };
    const isOwed = owed.owedMicroUsd >= MICRO_USD_PER_CENT;
    if (isOwed && !claimPayout) return reject({ code: 'PayoutOwed', ...owed });
    // `close` runs first: if it fails, the account still exists and the user can try again.
    await this.others?.close(userId);
    const claim = isOwed ? await this.others?.claim(userId) : undefined;
    const account = await this.accounts.findById(userId);
    await this.accounts.erase(userId, this.clock.now());
    // The account is already erased. Errors of the storage are ignored, so that the request does not fail now.
    if (account?.avatarKey) await removePicture(this.storage, account.avatarKey).catch(() => {});
    await this.profileFiles.remove(userId).catch(() => {});
    await this.others?.erased(userId).catch(() => {});
    // A sweep repeats this if it fails.
    await this.folders.run().catch(() => {});
    const { owedMicroUsd } = owed;
    return claim ? { accepted: true, claim: { ...claim, owedMicroUsd } } : { accepted: true };
  }
}

@Injectable()
export class PersonalDataExport {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: WallClock,
  ) {}

  async read(userId: string): Promise<Record<string, unknown>> {
    const copy: Record<string, unknown> = {};
    for await (const [heading, value] of this.headings(userId)) copy[heading] = value;
    return copy;
  }

  /** Yields the user's data as indented JSON, one heading at a time. */
  async *text(userId: string): AsyncGenerator<string> {
    let before = '{';
    for await (const [heading, value] of this.headings(userId)) {
      const lines = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
      yield `${before}\n  ${JSON.stringify(heading)}: ${lines}`;
      before = ',';
    }
    yield '\n}\n';
  }

  private async *headings(userId: string): AsyncGenerator<readonly [string, unknown]> {
    yield ['exportedAt', this.clock.now().toISOString()];
    yield* this.accounts.exportPersonalData(userId);
  }
}
