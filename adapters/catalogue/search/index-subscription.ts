import { setTimeout as pause } from 'node:timers/promises';
import { CatalogueIndex } from '../../platform/search/catalogue-index.js';
import type { Database } from '../../platform/database/database.js';
import { singleFlight } from '../../platform/database/single-flight.js';
import { buildIndex, catchUp } from './index-feed.js';
import type { IndexSnapshots } from './index-snapshots.js';
import { gauge, type Registered } from '../../platform/observability/gauges.js';

const POLL_MS = 2_000;
const RETRY_MS = 5_000;
/** A request that would wait longer for the newest changes gets the index as it is. */
const PATIENCE_MS = 1_000;

/** More changes than this trigger a new build, because changes since the last build are searched one by one. */
const changesLimit = (size: number): { rows: number; promoted: number } => ({
  rows: Math.min(10_000, Math.max(2_000, size / 50)),
  promoted: Math.min(20_000, Math.max(5_000, size / 20)),
});

interface VersionedIndex {
  index: CatalogueIndex;
  version: number;
}

export interface SubscriptionLog {
  warn(message: string): void;
}

/**
 * Keeps one index per process: loads or builds it in the background, and adds the newest changes of the search table
 * before each answer.
 */
export class IndexSubscription {
  private index?: CatalogueIndex;
  private version = 0;
  private followedAt?: number;
  private building?: Promise<void>;
  private isBuilt = false;
  private readonly follow = singleFlight(() => this.step());
  private timer?: NodeJS.Timeout;
  private readonly stop = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly log: SubscriptionLog,
    private readonly patienceMs = PATIENCE_MS,
    private readonly snapshots?: Pick<IndexSnapshots, 'newest'>,
  ) {}

  onApplicationBootstrap(): void {
    void this.build();
    this.timer = setInterval(() => void this.follow().catch(() => {}), POLL_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    clearInterval(this.timer);
    await Promise.allSettled([this.building, this.follow()]);
  }

  get wasBuilt(): boolean {
    return this.isBuilt;
  }

  /** Seconds since the index last matched the search table. Undefined if it never did. */
  get ageSeconds(): number | undefined {
    return this.followedAt === undefined ? undefined : (performance.now() - this.followedAt) / 1_000;
  }

  async built(): Promise<void> {
    await this.building;
  }

  /** Returns the current index without an update, for use while the database does not answer. */
  lastKnown(): CatalogueIndex | undefined {
    return this.index;
  }

  /** Returns the index once it contains all changes of the search table, or after a short time as it is. */
  async current(): Promise<CatalogueIndex | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.patienceMs)));
    // Ignore errors: if the database does not answer, the caller's own queries fail.
    const caughtUp = this.caughtUp().catch(() => {});
    await Promise.race([caughtUp, tooLate]).finally(() => clearTimeout(timer));
    return this.index;
  }

  private async caughtUp(): Promise<void> {
    if (!this.index) await this.building;
    await this.follow();
  }

  private async step(): Promise<void> {
    const { index } = this;
    if (!index || this.stopping) return;
    if ((await catchUp(this.database, index, this.version)) === 'lost') return this.build();
    this.followedAt = performance.now();
    const [changes, limit] = [index.changes, changesLimit(index.size)];
    if (changes.rows > limit.rows || changes.promoted > limit.promoted) void this.build();
  }

  private get stopping(): boolean {
    return this.stop.signal.aborted;
  }

  private build(): Promise<void> {
    this.building ??= this.buildUntilDone().finally(() => (this.building = undefined));
    return this.building;
  }

  private async buildUntilDone(): Promise<void> {
    while (!this.stopping) {
      try {
        const found = (await this.fromSnapshot()) ?? (await this.fromTable());
        if (!found) return;
        this.index = found.index;
        this.version = found.version;
        this.isBuilt = true;
        return;
      } catch (error) {
        if (this.stopping) return;
        this.log.warn(`the search index was not built: ${(error as Error).message}`);
        await pause(RETRY_MS, undefined, { signal: this.stop.signal, ref: false }).catch(() => {});
      }
    }
  }

  private async fromTable(): Promise<VersionedIndex | undefined> {
    const built = await buildIndex(this.database, () => this.stopping);
    return built && { index: new CatalogueIndex(built.segment, built.position), version: built.version };
  }

  /** Loads a snapshot and catches up with the table. Used only at the start; later builds read the table. */
  private async fromSnapshot(): Promise<VersionedIndex | undefined> {
    if (this.isBuilt || !this.snapshots) return undefined;
    try {
      const kept = await this.snapshots.newest();
      if (!kept) return undefined;
      const index = new CatalogueIndex(kept.segment, kept.position);
      const followed = await catchUp(this.database, index, kept.version);
      return followed === 'lost' ? undefined : { index, version: kept.version };
    } catch (error) {
      this.log.warn(`no snapshot of the search index was read: ${(error as Error).message}`);
      return undefined;
    }
  }
}

export const registerIndexMetrics = (
  metrics: Registered,
  index: Pick<IndexSubscription, 'ageSeconds'> | null,
): void =>
  gauge(
    metrics,
    ['search_index_age_seconds', 'Seconds since the index in memory last matched the search table'],
    async () => index?.ageSeconds,
  );
