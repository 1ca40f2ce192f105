import { Injectable } from '@nestjs/common';
import { ListedSampleQueries } from '../../application/library/queries.js';
import type { News, WeeklyMailStore } from '../../application/library/weekly-mail.js';
import type { SavedProject } from '../../application/library/contract.js';
import { fitOf, fitsAsItIs } from '../../domain/catalogue/fit.js';
import { varied } from '../../domain/catalogue/variety.js';
import { Database } from '../platform/database/database.js';
import { Following } from './following.js';
import { Projects } from './projects.js';

const NEWS_PACKS = 5;
const NEWS_SAMPLES = 5;
/** How many of the newest samples are compared with the project. */
const EXAMINED_SAMPLES = 5_000;

interface Span {
  since: Date;
  until: Date;
}

@Injectable()
export class PostgresWeeklyMailStore implements WeeklyMailStore {
  constructor(
    private readonly database: Database,
    private readonly following: Following,
    private readonly projects: Projects,
    private readonly samples: ListedSampleQueries,
  ) {}

  async isWanted(userId: string): Promise<boolean> {
    const row = await this.database.db
      .selectFrom('weekly_mail')
      .select('is_wanted')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.is_wanted ?? false;
  }

  async choose(
    userId: string,
    isWanted: boolean,
    { now, weekAgo }: { now: Date; weekAgo: Date },
  ): Promise<void> {
    await this.database.db
      .insertInto('weekly_mail')
      .values({ user_id: userId, is_wanted: isWanted, covered_until: now })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(({ fn, ref, val }) => ({
          is_wanted: isWanted,
          covered_until: fn<Date>('greatest', [ref('weekly_mail.covered_until'), val(weekAgo)]),
        })),
      )
      .execute();
  }

  due(before: Date, limit: number): Promise<{ userId: string; email: string; since: Date }[]> {
    return this.database.db
      .selectFrom('weekly_mail as w')
      .innerJoin('user_account as u', 'u.user_id', 'w.user_id')
      .select(['w.user_id as userId', 'w.covered_until as since'])
      .select(({ fn, val }) => fn.coalesce('u.email', val('')).as('email'))
      .where('w.is_wanted', '=', true)
      .where('w.covered_until', '<=', before)
      .where('u.erased_at', 'is', null)
      .where('u.email_verified_at', 'is not', null)
      .orderBy('w.covered_until')
      .limit(limit)
      .execute();
  }

  async cover(userId: string, until: Date): Promise<void> {
    await this.database.db
      .updateTable('weekly_mail')
      .set({ covered_until: until })
      .where('user_id', '=', userId)
      .execute();
  }

  async newsOf(userId: string, span: Span): Promise<News> {
    const { items } = await this.following.feed(userId, { limit: NEWS_PACKS });
    const isNew = (at: string | null) =>
      at !== null && at > span.since.toISOString() && at <= span.until.toISOString();
    const packs = items.filter(({ pack }) => isNew(pack.publishedAt));
    const [project] = await this.projects.of(userId);
    const ids = project ? await this.fitting(userId, project, span) : [];
    const found = await this.samples.byIds(ids, userId);
    return { packs, project, samples: [...found.values()] };
  }

  /**
   * Returns the newest samples that fit the project without transposition and with little stretching, at most two of
   * one creator.
   */
  private async fitting(userId: string, project: SavedProject, { since, until }: Span): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('catalogue_sample')
      .select(['sample_id', 'creator_id', 'bpm', 'key'])
      .where('published_at', '>', since)
      .where('published_at', '<=', until)
      .where('creator_id', '<>', userId)
      .where('bpm', '>', 0)
      .$if(project.key !== null, (samples) => samples.where('key', 'is not', null))
      .orderBy('published_at', 'desc')
      .orderBy('sample_id')
      .limit(EXAMINED_SAMPLES)
      .execute();
    const fitting = rows.filter((row) => fitsAsItIs(fitOf(row, project)));
    const picked = varied(fitting, NEWS_SAMPLES, [{ most: 2, groupOf: ({ creator_id }) => creator_id }]);
    return picked.map(({ sample_id }) => sample_id);
  }
}
