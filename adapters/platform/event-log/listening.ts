import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { breakOff, clientConfig, setUp } from '../database/connections.js';
import type { Database } from '../database/database.js';

const HEARTBEAT_MS = 1_500;
/** A connection without a heartbeat for this long is dead. */
const ANSWER_MS = 2_000;
const RECONNECT_MS = 500;

/**
 * A connection of its own that hears of appends by other processes, or of what else is told on a channel, and holds
 * leases, which end with it. It sends heartbeats, and is replaced when it breaks or falls silent.
 */
export class Listening {
  private client?: pg.Client;
  private leases = new Set<string>();
  private readonly closing = new AbortController();
  private running?: Promise<void>;

  /** @param told is called after notifications, and after a reconnection, during which there may have been many */
  constructor(
    private readonly database: Database,
    private readonly told: (what: 'appended' | 'connected', payload?: string) => void,
    private readonly channel = 'event_appended',
  ) {}

  /** Resolves when it listens, or when the first attempt has failed; it then keeps trying. */
  async start(): Promise<void> {
    const first = await this.connect().catch(() => undefined);
    this.running = this.keepAlive(first);
  }

  /** Whether it is connected, as far as it knows. */
  get hears(): boolean {
    return this.client !== undefined;
  }

  async stop(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  /**
   * Whether this process holds the lease of that name: it alone, until it stops or loses this connection. A killed
   * process gives up its leases at once.
   */
  async lease(name: string): Promise<boolean> {
    const { client, leases } = this;
    if (!client) return false;
    if (leases.has(name)) return true;
    const asked = await client.query<{ leased: boolean }>(
      `select pg_try_advisory_lock(hashtextextended($1, 1)) as leased`,
      [name],
    );
    const leased = asked.rows[0]?.leased === true;
    // An error of a connection that was replaced in between means nothing.
    if (leased) leases.add(name);
    return leased && this.leases === leases;
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...clientConfig(this.database.directUrl, this.database.limits),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      // Leases are asked for between heartbeats.
      pipeline: true,
    } as pg.ClientConfig);
    client.on('error', () => {});
    client.on('notification', ({ payload }) => this.told('appended', payload));
    try {
      await client.connect();
      await client.query(setUp(this.database.limits));
      await client.query(`listen ${this.channel}`);
      this.leases = new Set();
      this.client = client;
      return client;
    } catch (error) {
      breakOff(client);
      throw error;
    }
  }

  private async keepAlive(first: pg.Client | undefined): Promise<void> {
    let client = first;
    while (!this.closing.signal.aborted) {
      if (client) await this.untilSilent(client);
      client = undefined;
      this.client = undefined;
      await this.rest(RECONNECT_MS);
      if (this.closing.signal.aborted) return;
      client = await this.connect().catch(() => undefined);
      if (client) this.told('connected');
    }
  }

  private async untilSilent(client: pg.Client): Promise<void> {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const over = AbortSignal.any([this.closing.signal, ended.signal]);
    try {
      while (!over.aborted) {
        await client.query('select 1');
        await pause(HEARTBEAT_MS, undefined, { signal: over }).catch(() => {});
      }
      // Another process may get the lease before this one sees the connection end.
      if (!ended.signal.aborted) await client.query('select pg_advisory_unlock_all()');
    } catch {
      // It is replaced in any case.
    } finally {
      breakOff(client);
    }
  }

  private async rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.closing.signal }).catch(() => {});
  }
}
