import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ListedSampleQueries, type WorkbenchQueries } from '../../application/library/queries.js';
import { WORKBENCHES_LIMIT } from '../../application/library/values.js';
import type {
  NewWorkbench,
  SharedWorkbench,
  Workbench,
  WorkbenchCard,
  WorkbenchContent,
} from '../../application/library/workbenches/contract.js';
import { Clock } from '../../application/shared/clock.js';
import { serverPaths } from '../../application/pages/paths.js';
import { addedSamples } from '../../domain/library/workbench.js';
import { reject } from '../../domain/shared/decision.js';
import { lockAccount } from '../platform/database/conflicts.js';
import { Database } from '../platform/database/database.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import type { Refusable } from './collection-rows.js';
import { pricesOf } from './own-collection-queries.js';
import { endLink, secretOf } from './shared-links.js';

const SONG = ['name', 'tempo', 'key', 'time_signature as timeSignature'] as const;
type Content = Pick<SharedWorkbench, 'name' | 'tempo' | 'key' | 'timeSignature'> &
  Pick<WorkbenchContent, 'lanes'>;

@Injectable()
export class Workbenches implements WorkbenchQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly samples: ListedSampleQueries,
    private readonly address: PublicAddress,
  ) {}

  /** Lists all workbenches of a user, last changed first: at most `WORKBENCHES_LIMIT`. */
  async of(userId: string): Promise<WorkbenchCard[]> {
    const rows = await this.database.db
      .selectFrom('workbench')
      .select(['workbench_id as id', ...SONG, 'updated_at as updatedAt'])
      .select(({ eb, fn }) => [
        fn<number>('jsonb_array_length', ['lanes']).as('laneCount'),
        eb('share_token', 'is not', null).as('isShared'),
      ])
      .where('user_id', '=', userId)
      .orderBy('updated_at', 'desc')
      .orderBy('workbench_id')
      .$narrowType<Pick<WorkbenchCard, 'key' | 'isShared'>>()
      .execute();
    return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
  }

  async byId(userId: string, id: string): Promise<Workbench | undefined> {
    const row = await this.database.db
      .selectFrom('workbench')
      .select([...SONG, 'lanes', 'version', 'share_token', 'created_at', 'updated_at'])
      .where('user_id', '=', userId)
      .where('workbench_id', '=', id)
      .$narrowType<Content>()
      .executeTakeFirst();
    if (!row) return undefined;
    const { version, share_token: token, created_at: createdAt, updated_at: updatedAt, ...content } = row;
    const titles = await this.database.db
      .selectFrom('sample')
      .select(['sample_id', 'title'])
      .where(({ eb, fn, val }) => eb('sample_id', '=', fn.any(val(idsIn(content)))))
      .execute();
    return {
      ...(await this.heard(content, userId, new Map(titles.map((each) => [each.sample_id, each.title])))),
      id,
      version,
      shareUrl: token && this.urlOf(token),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }

  /** Leaves an existing workbench with this id unchanged, so that a repeated request has no effect. */
  async create(
    userId: string,
    { id = randomUUID(), ...content }: NewWorkbench,
  ): Refusable<'SampleNotAvailable' | 'TooManyWorkbenches', { id: string }> {
    const heard = await this.samples.heardByIds(idsIn(content), userId);
    if (!content.lanes.every(({ sampleId }) => heard.has(sampleId)))
      return reject({ code: 'SampleNotAvailable' });
    const { timeSignature, lanes, ...song } = content;
    return this.database.transaction(async (_, db) => {
      await lockAccount(db, userId);
      const known = await db
        .selectFrom('workbench')
        .select('workbench_id as id')
        .where('user_id', '=', userId)
        .execute();
      if (known.some((each) => each.id === id)) return { accepted: true, id };
      if (known.length >= WORKBENCHES_LIMIT) return reject({ code: 'TooManyWorkbenches' });
      const now = this.clock.now();
      const written = { time_signature: timeSignature, lanes: JSON.stringify(lanes), version: 1 };
      await db
        .insertInto('workbench')
        .values({ user_id: userId, workbench_id: id, ...song, ...written, created_at: now, updated_at: now })
        .execute();
      return { accepted: true, id };
    });
  }

  /** @param expectedVersion undefined: replaces any version */
  async save(
    userId: string,
    id: string,
    { lanes, timeSignature, ...song }: WorkbenchContent,
    expectedVersion: number | undefined,
  ): Refusable<'NotFound' | 'StaleVersion' | 'SampleNotAvailable'> {
    const heard = await this.samples.heardByIds(idsIn({ lanes }), userId);
    return this.database.transaction(async (_, db) => {
      const known = await db
        .selectFrom('workbench')
        .select(['version', 'lanes'])
        .where('user_id', '=', userId)
        .where('workbench_id', '=', id)
        .forUpdate()
        .$narrowType<Pick<Content, 'lanes'>>()
        .executeTakeFirst();
      if (!known) return reject({ code: 'NotFound' });
      if (expectedVersion !== undefined && expectedVersion !== known.version)
        return reject({ code: 'StaleVersion' });
      if (!addedSamples(lanes, known.lanes).every((sampleId) => heard.has(sampleId)))
        return reject({ code: 'SampleNotAvailable' });
      await db
        .updateTable('workbench')
        .set({
          ...song,
          time_signature: timeSignature,
          lanes: JSON.stringify(lanes),
          version: known.version + 1,
          updated_at: this.clock.now(),
        })
        .where('user_id', '=', userId)
        .where('workbench_id', '=', id)
        .execute();
      return { accepted: true };
    });
  }

  async delete(userId: string, id: string): Promise<void> {
    await this.database.db
      .deleteFrom('workbench')
      .where('user_id', '=', userId)
      .where('workbench_id', '=', id)
      .execute();
  }

  async share(userId: string, id: string): Refusable<'NotFound', { url: string }> {
    const outcome = await secretOf(this.database.db, { table: 'workbench', userId, id });
    return outcome.accepted ? { accepted: true, url: this.urlOf(outcome.token) } : outcome;
  }

  unshare(userId: string, id: string): Refusable<'NotFound'> {
    return endLink(this.database.db, { table: 'workbench', userId, id });
  }

  async shared(token: string, viewerId: string | undefined): Promise<SharedWorkbench | undefined> {
    const row = await this.database.db
      .selectFrom('workbench')
      .select([...SONG, 'lanes', 'updated_at as updatedAt'])
      .where('share_token', '=', token)
      .$narrowType<Content>()
      .executeTakeFirst();
    if (!row) return undefined;
    const { updatedAt, ...content } = row;
    return { ...(await this.heard(content, viewerId)), updatedAt: updatedAt.toISOString() };
  }

  private urlOf(token: string): string {
    return this.address.url + serverPaths.sharedWorkbench(token);
  }

  /** @param titles the titles by sample id, for samples that the viewer may not hear */
  private async heard(
    { lanes, ...song }: Content,
    viewerId: string | undefined,
    titles: ReadonlyMap<string, string> = new Map(),
  ): Promise<Omit<SharedWorkbench, 'updatedAt'>> {
    const samples = await this.samples.heardByIds(idsIn({ lanes }), viewerId);
    return {
      ...song,
      lanes: lanes.map((lane) => {
        const sample = samples.get(lane.sampleId) ?? null;
        return { ...lane, title: sample?.title ?? titles.get(lane.sampleId) ?? 'Sample', sample };
      }),
      ...pricesOf([...samples.values()], viewerId),
    };
  }
}

const idsIn = ({ lanes }: Pick<Content, 'lanes'>): string[] => [
  ...new Set(lanes.map(({ sampleId }) => sampleId)),
];
