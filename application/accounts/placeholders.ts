import { createHash } from 'node:crypto';
import { newAccount, type Account, type AccountStore } from './account-store.js';
import type { WallClock } from '../shared/clock.js';
import { cutText } from '../shared/text.js';

/** A reserved domain that receives no mail (RFC 2606). */
const NOWHERE = '@placeholder.invalid';

const isPlaceholder = ({ email }: Account): boolean => email.endsWith(NOWHERE);

/**
 * Whether the owner has yet to confirm the address. A placeholder has no real address to confirm, and the operator
 * knows its owner.
 */
export const isUnconfirmed = (account: Account): boolean =>
  account.emailVerifiedAt === null && !isPlaceholder(account);

/** Accounts of creators whose work was imported before they joined. Not usable for sign-in until the handover. */
export class Placeholders {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: WallClock,
  ) {}

  /**
   * Creates the account of the creator whose work is in an import folder, if the account does not
   * exist. @returns undefined if the account was erased
   */
  async ensure(folder: string, displayName: string): Promise<{ userId: string; made: boolean } | undefined> {
    const userId = `import-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
    if (await this.accounts.findById(userId)) return { userId, made: false };
    const email = `${userId}${NOWHERE}`;
    const account = { userId, email, displayName: cutText(displayName, 80), createdAt: this.clock.now() };
    const made = await this.accounts.create(newAccount(account));
    return made ? { userId, made } : undefined;
  }

  async handOver(userId: string, email: string): Promise<'done' | 'taken' | 'no placeholder'> {
    const account = await this.accounts.findById(userId);
    if (!account || !isPlaceholder(account)) return 'no placeholder';
    const owner = await this.accounts.findByEmail(email);
    if (owner) return 'taken';
    return (await this.accounts.setEmail(userId, email, null, this.clock.now())) ? 'done' : 'taken';
  }
}
