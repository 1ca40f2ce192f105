import type { SessionOwner } from '../../application/accounts/sessions/session-store.js';
import type { Database } from '../platform/database/database.js';
import { Listening } from '../platform/event-log/listening.js';
import { SESSION_CHANGED } from '../platform/http/session/session-changes.js';

/** At half a kilobyte each. */
const LIMIT = 20_000;

interface Known {
  owner: SessionOwner;
  untilMs: number;
}

/**
 * The owners of live tokens, for a moment: most requests come soon after another of the same session. Whoever changes
 * a session, an account or its rights forgets them here and tells the other processes, which forget them, too. What
 * is remembered is used only while this process hears of such changes, and no longer than its lifetime, so that a
 * connection that has died unnoticed hides a change for that time at most.
 */
export class SessionMemory {
  private readonly known = new Map<string, Known>();
  private readonly asked = new Map<string, Promise<SessionOwner | undefined>>();
  private forgotten = 0;
  private listening?: Listening;

  /**
   * @param lifetimeMs 0 remembers nothing
   * @param time in milliseconds, which never goes back
   */
  constructor(
    private readonly lifetimeMs: number,
    private readonly time: () => number = () => performance.now(),
  ) {}

  /** From here on it remembers. */
  async listen(database: Database): Promise<void> {
    if (this.lifetimeMs === 0) return;
    this.listening = new Listening(
      database,
      (_, userId) => (userId === undefined ? this.forgetAll() : this.forget(userId)),
      SESSION_CHANGED,
    );
    await this.listening.start();
  }

  async stop(): Promise<void> {
    await this.listening?.stop();
    this.forgetAll();
  }

  /**
   * The owner of a token, as it was asked for lately; requests that come together share one answer. That there is
   * none is not remembered.
   */
  async find(
    tokenHash: string,
    now: Date,
    ask: () => Promise<SessionOwner | undefined>,
  ): Promise<SessionOwner | undefined> {
    if (!this.listening?.hears) return ask();
    const known = this.known.get(tokenHash);
    if (known && known.untilMs > this.time() && known.owner.expiresAt > now) return known.owner;
    const asked = this.asked.get(tokenHash);
    if (asked) return asked;
    const answer = this.keep(tokenHash, ask());
    this.asked.set(tokenHash, answer);
    try {
      return await answer;
    } finally {
      if (this.asked.get(tokenHash) === answer) this.asked.delete(tokenHash);
    }
  }

  /** What is being asked for meanwhile may be from before the change. */
  forget(userId: string): void {
    this.forgotten += 1;
    this.asked.clear();
    for (const [tokenHash, { owner }] of this.known)
      if (owner.user.id === userId) this.known.delete(tokenHash);
  }

  forgetAll(): void {
    this.forgotten += 1;
    this.asked.clear();
    this.known.clear();
  }

  private async keep(
    tokenHash: string,
    asking: Promise<SessionOwner | undefined>,
  ): Promise<SessionOwner | undefined> {
    const { forgotten } = this;
    const untilMs = this.time() + this.lifetimeMs;
    const owner = await asking;
    if (!owner || forgotten !== this.forgotten) return owner;
    // The oldest stands first.
    this.known.delete(tokenHash);
    this.known.set(tokenHash, { owner, untilMs });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= LIMIT) break;
      this.known.delete(oldest);
    }
    return owner;
  }
}
