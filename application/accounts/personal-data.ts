import { Inject, Injectable, Optional } from '@nestjs/common';
import { MICRO_USD_PER_CENT } from '../../domain/shared/micro-usd.js';
import { removePicture } from '../media/narrow-pictures.js';
import { AccountStore } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { ForgetFolders } from '../storage/forget-folders.js';

export type EraseOutcome =
  /** `claim`: what was owed stays payable against its code. */
  | { accepted: true; claim?: { code: string; payableUntil: string; owedMicroUsd: number } }
  | {
      accepted: false;
      rejection: { code: 'PayoutOwed'; owedMicroUsd: number; availableMicroUsd: number };
    };

/** What the other contexts must end before a person is erased. */
export abstract class AccountClosing {
  /** Safe to repeat; an error keeps the account from being erased. */
  abstract close(userId: string): Promise<void>;
  /** The balance owed to the person, who would lose it. */
  abstract owed(userId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }>;
  /** Keeps the debt payable to the holder of the code. */
  abstract claim(userId: string): Promise<{ code: string; payableUntil: string }>;
  /** Others who know the person are told; a sweep does so where it fails. */
  abstract erased(userId: string): Promise<void>;
}

/** The erasure of somebody's personal data. */
@Injectable()
export class PersonalData {
  constructor(
    private readonly accounts: AccountStore,
    private readonly storage: ObjectStorage,
    private readonly clock: WallClock,
    private readonly folders: ForgetFolders,
    @Optional() @Inject(AccountClosing) private readonly others?: AccountClosing,
  ) {}

  /** Everything personal goes at once; the books keep the user's id, which says nothing about a person. */
  async erase(userId: string, { claimPayout = false } = {}): Promise<EraseOutcome> {
    const owed = (await this.others?.owed(userId)) ?? { owedMicroUsd: 0, availableMicroUsd: 0 };
    const isOwed = owed.owedMicroUsd >= MICRO_USD_PER_CENT;
    if (isOwed && !claimPayout) return { accepted: false, rejection: { code: 'PayoutOwed', ...owed } };
    // First, because the person can try again after a failure here while the account exists.
    await this.others?.close(userId);
    const claim = isOwed ? await this.others?.claim(userId) : undefined;
    const account = await this.accounts.findById(userId);
    await this.accounts.erase(userId, this.clock.now());
    // Last: a store that does not answer must not keep the rest from being erased.
    if (account?.avatarKey) await removePicture(this.storage, account.avatarKey).catch(() => {});
    await this.others?.erased(userId).catch(() => {});
    // A sweep does it otherwise.
    await this.folders.run().catch(() => {});
    const { owedMicroUsd } = owed;
    return claim ? { accepted: true, claim: { ...claim, owedMicroUsd } } : { accepted: true };
  }
}
