import { Injectable } from '@nestjs/common';
import type { SessionOwner } from '../../application/accounts/sessions/session-store.js';
import { keepNewest } from '../../application/shared/keep-newest.js';
import { Database, DatabaseAdapter } from '../platform/database/database.js';
import { Listening } from '../platform/event-log/listening.js';
import { SESSION_CHANGED } from '../platform/http/session/session-changes.js';

/** An entry takes about half a kilobyte. */
const LIMIT = 20_000;

/**
 * Caches the owners of valid tokens for a short time, because a browser often sends several requests in a row. A change
 * of a session, account or role removes the owner from the cache and notifies the other processes. The cache is used
 * only while this process receives notifications. If the connection dies unnoticed, an outdated owner is used only
 * until the entry expires.
 */
export class SessionMemory {
  private readonly known = new Map<string, { owner: SessionOwner; untilMs: number }>();
  private readonly asked = new Map<string, Promise<SessionOwner | undefined>>();
  private forgotten = 0;
  private listening?: Listening;

  /** @param lifetimeMs 0 switches the cache off */
  constructor(private readonly lifetimeMs: number) {}

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

  /** Concurrent requests with the same token share one query. A token without an owner is not cached here. */
  async find(tokenHash: string, now: Date, ask: () => Promise<SessionOwner | undefined>) {
    if (!this.listening?.hears) return ask();
    const known = this.known.get(tokenHash);
    if (known && known.untilMs > performance.now() && known.owner.expiresAt > now) return known.owner;
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

  /**
   * Removes the user's sessions from the cache. Results of running queries are neither cached nor shared with new
   * requests, because they may show the state before the change.
   */
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

  private async keep(tokenHash: string, asking: Promise<SessionOwner | undefined>) {
    const { forgotten } = this;
    const untilMs = performance.now() + this.lifetimeMs;
    const owner = await asking;
    if (owner && forgotten === this.forgotten) keepNewest(this.known, tokenHash, { owner, untilMs }, LIMIT);
    return owner;
  }
}

/** The base class of stores whose changes must remove owners from the cache. */
@Injectable()
export abstract class CachedSessionsAdapter extends DatabaseAdapter {
  constructor(
    database: Database,
    protected readonly memory: SessionMemory,
  ) {
    super(database);
  }
}
