import { createHash } from 'node:crypto';
import type { AccountStore } from './account-store.js';
import type { WallClock } from '../shared/clock.js';
import { cutText } from '../shared/text.js';

/** A reserved domain: mail to it goes nowhere (RFC 2606). */
const NOWHERE = '@placeholder.invalid';

/**
 * Accounts for creators whose work is imported before they have signed up. Nobody can sign in to one: it has no
 * password, and its address receives nothing. It is handed over by giving it the creator's own address, with which
 * the creator sets a password.
 */
export class Placeholders {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: WallClock,
  ) {}

  /**
   * The placeholder for the creator of one folder; repeating answers the same.
   * @returns undefined if that account was erased
   */
  async ensure(folder: string, displayName: string): Promise<{ userId: string; made: boolean } | undefined> {
    const userId = `import-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
    if (await this.accounts.findById(userId)) return { userId, made: false };
    const made = await this.accounts.create({
      userId,
      email: `${userId}${NOWHERE}`,
      passwordHash: null,
      displayName: cutText(displayName, 80),
      avatarKey: null,
      emailVerifiedAt: null,
      createdAt: this.clock.now(),
    });
    return made ? { userId, made } : undefined;
  }

  /** Gives a placeholder its creator's address. */
  async handOver(userId: string, email: string): Promise<'done' | 'taken' | 'no placeholder'> {
    const account = await this.accounts.findById(userId);
    if (!account?.email.endsWith(NOWHERE)) return 'no placeholder';
    const owner = await this.accounts.findByEmail(email);
    if (owner) return 'taken';
    return (await this.accounts.setEmail(userId, email, null, this.clock.now())) ? 'done' : 'taken';
  }
}
