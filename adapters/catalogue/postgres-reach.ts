/** Raw SQL: one statement adds any number of counts. */
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Reach, type Shown } from '../../application/library/reach.js';
import { Clock } from '../../application/shared/clock.js';
import { countedTerm } from '../../domain/library/search-term.js';
import { Database } from '../platform/database/database.js';

const WRITTEN_AFTER_MS = 10_000;
/** New samples and terms beyond this number are not counted until the next write. */
const MOST = 20_000;

type Step = 'views' | 'plays' | 'saves';

@Injectable()
export class PostgresReach implements Reach, BeforeApplicationShutdown {
  private readonly steps = new Map<string, { id: string; day: string } & Record<Step, number>>();
  private readonly finds = new Map<string, { id: string; day: string; term: string; finds: number }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  shown(samples: readonly Shown[], viewerId: string | undefined, words = ''): void {
    const others = samples.filter(({ creatorId }) => creatorId !== viewerId);
    for (const { id } of others) this.count(id, 'views');
    const term = countedTerm(words);
    if (term === undefined) return;
    // A search counts once for a creator, however many of their samples it finds.
    for (const id of new Set(others.map(({ creatorId }) => creatorId))) {
      const day = this.today();
      const key = `${day} ${id} ${term}`;
      const found = this.finds.get(key);
      if (found) found.finds += 1;
      else if (this.finds.size < MOST) this.finds.set(key, { id, day, term, finds: 1 });
    }
    this.writeLater();
  }

  played(sampleId: string): void {
    this.count(sampleId, 'plays');
  }

  saved(sampleId: string): void {
    this.count(sampleId, 'saves');
  }

  /** Writes what was counted. If the database is not available, these counts are lost. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    // Sorts the rows in the same order on all nodes, so that concurrent writes do not deadlock.
    const inOrder = <Row>(rows: Map<string, Row>) =>
      JSON.stringify([...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row));
    const [steps, finds] = [inOrder(this.steps), inOrder(this.finds)];
    this.steps.clear();
    this.finds.clear();
    if (steps !== '[]')
      await this.database.pool.query(
        `insert into sample_reach (sample_id, day, views, plays, saves)
         select id, day, views, plays, saves
           from json_to_recordset($1) as r(id text, day timestamptz, views int, plays int, saves int)
          where exists (select from sample where sample_id = id)
         on conflict (sample_id, day) do update
           set views = sample_reach.views + excluded.views, plays = sample_reach.plays + excluded.plays,
               saves = sample_reach.saves + excluded.saves`,
        [steps],
      );
    if (finds !== '[]')
      await this.database.pool.query(
        `insert into creator_find (creator_id, day, term, finds)
         select id, day, term, finds from json_to_recordset($1) as r(id text, day timestamptz, term text, finds int)
         on conflict (creator_id, day, term) do update set finds = creator_find.finds + excluded.finds`,
        [finds],
      );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write().catch(() => {});
  }

  private count(id: string, step: Step): void {
    const day = this.today();
    const key = `${day} ${id}`;
    const known = this.steps.get(key);
    if (known) known[step] += 1;
    else if (this.steps.size < MOST)
      this.steps.set(key, { id, day, views: 0, plays: 0, saves: 0, [step]: 1 });
    this.writeLater();
  }

  private today(): string {
    return `${this.clock.now().toISOString().slice(0, 10)}T00:00:00Z`;
  }

  private writeLater(): void {
    this.timer ??= setTimeout(() => void this.write().catch(() => {}), WRITTEN_AFTER_MS).unref();
  }
}
