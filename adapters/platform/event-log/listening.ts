import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { breakOff, clientConfig, isUnanswered, setUp, type DatabaseLimits } from '../database/connections.js';
import type { Database } from '../database/database.js';

export const HEARTBEAT_MS = 1_500;
export const RECONNECT_MS = 500;

/**
 * A connection whose heartbeat gets no answer for `answerMs` counts as dead. The server ends a connection without a
 * heartbeat for `silenceMs`, because its process may have vanished. With the default limits: 2 and 5 seconds.
 */
export function listeningLimits({ connectMs }: DatabaseLimits): { answerMs: number; silenceMs: number } {
  const answerMs = Math.max(2_000, connectMs - 1_000);
  return { answerMs, silenceMs: HEARTBEAT_MS + answerMs + 1_500 };
}

/**
 * A dedicated connection that receives notifications of appends, or of another channel, and holds leases. Leases end
 * with the connection. Its heartbeats also request missing leases. The connection is replaced when it breaks or stops
 * answering.
 */
export class Listening {
  private client?: pg.Client;
  private wanted: readonly string[] = [];
  private leased: () => void = () => {};
  private leases = new Set<string>();
  private readonly closing = new AbortController();
  private running?: Promise<void>;

  /** @param notify called after a notification, and after a reconnection because notifications may have been missed */
  constructor(
    private readonly database: Database,
    private readonly notify: (what: 'appended' | 'connected', payload?: string) => void,
    private readonly channel = 'event_appended',
  ) {}

  /**
   * Resolves when the connection listens or the first attempt has failed. After a failure, attempts continue.
   * @param leases the names of the leases that this process wants
   * @param leased called whenever this process has gained leases
   */
  async start(leases: readonly string[] = [], leased: () => void = () => {}): Promise<void> {
    this.wanted = leases;
    this.leased = leased;
    const first = await this.connect().catch(() => undefined);
    this.running = this.keepAlive(first);
  }

  get hears(): boolean {
    return this.client !== undefined;
  }

  async stop(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  /**
   * Returns whether this process holds the lease. Only one process holds it, until it stops or loses this connection.
   * A killed process releases its leases at once, a vanished one after `silenceMs`. Another process then gets them
   * within a heartbeat.
   */
  holds(name: string): boolean {
    return this.leases.has(name);
  }

  private async connect(): Promise<pg.Client> {
    const { limits } = this.database;
    const { answerMs, silenceMs } = listeningLimits(limits);
    const client = new pg.Client({
      ...clientConfig(this.database.directUrl, limits),
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    } as pg.ClientConfig);
    client.on('error', () => {});
    client.on('notification', ({ payload }) => this.notify('appended', payload));
    try {
      await client.connect();
      await client.query(`${setUp(limits)}; set idle_session_timeout = ${silenceMs}`);
      await client.query(`listen ${this.channel}`);
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
      this.leases = new Set();
      await pause(RECONNECT_MS, undefined, { signal: this.closing.signal }).catch(() => {});
      if (this.closing.signal.aborted) return;
      client = await this.connect().catch(() => undefined);
      if (client) this.notify('connected');
    }
  }

  private async untilSilent(client: pg.Client): Promise<void> {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const over = AbortSignal.any([this.closing.signal, ended.signal]);
    try {
      while (!over.aborted) {
        await this.beat(client);
        await pause(HEARTBEAT_MS, undefined, { signal: over }).catch(() => {});
      }
      // Release the leases now, so that other processes need not wait until the server sees the connection end.
      if (!ended.signal.aborted) await client.query('select pg_advisory_unlock_all()');
    } catch (error) {
      // The heartbeat may be the first statement to notice an outage, so let the pools check their connections.
      // This connection is replaced in any case.
      if (isUnanswered(error)) this.database.connections.doubt();
    } finally {
      breakOff(client);
    }
  }

  private async beat(client: pg.Client): Promise<void> {
    const missing = this.wanted.filter((name) => !this.leases.has(name));
    if (missing.length === 0) return void (await client.query('select 1'));
    // Raw SQL for session locks: one statement requests all missing leases.
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) as name where pg_try_advisory_lock(hashtextextended(name, 1))`,
      [missing],
    );
    for (const { name } of rows) this.leases.add(name);
    if (rows.length > 0) this.leased();
  }
}
