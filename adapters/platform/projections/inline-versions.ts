/** Raw SQL: parts of the statements that append events, and a query of all versions. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import type { InlineProjection } from './projection.js';
import type { Projector } from './projector.js';

const WAIT_MS = 500;

type Named = Pick<InlineProjection, 'name' | 'version'>;

export const countNewer = (projections: readonly Named[]): string =>
  `(select count(*) from checkpoint where ${
    projections.map(({ name, version }) => `name = '${name}' and version > ${version}`).join(' or ') ||
    'false'
  })`;

/** A statement with `refuseNewer` fails with this code and writes nothing if a projection has a newer version. */
export const NEWER_VERSION = '2201F';
export const refuseNewer = (projections: readonly Named[]): string =>
  `sqrt(-${countNewer(projections)}::float8)`;

/**
 * Compares this node's versions of inline projections with those in the database. A newer node rebuilds them when it
 * starts. From then on, older nodes cannot append events.
 */
export class InlineVersions {
  constructor(
    private readonly database: Database,
    private readonly projections: readonly InlineProjection[],
  ) {}

  async areOutdated(): Promise<boolean> {
    const { rows } = await this.database.pool.query<{ outdated: boolean }>(
      `select ${countNewer(this.projections)} > 0 as outdated`,
    );
    return rows[0]?.outdated === true;
  }

  /** Rebuilds projections of an older version. Waits if another node is already rebuilding one. */
  async bringUpToDate(projector: Projector): Promise<void> {
    for (let [projection] = await this.older(); projection; [projection] = await this.older()) {
      if (!(await projector.rebuildOlder(projection))) await pause(WAIT_MS);
    }
  }

  /** Returns projections of an older version. A projection without a recorded version counts as current. */
  private async older(): Promise<InlineProjection[]> {
    const { rows } = await this.database.pool.query<{ name: string; version: number }>(
      `with mine as (select * from unnest($1::text[], $2::int[]) as mine(name, version)),
            noted as (insert into checkpoint (name, version, position, types)
                      select name, version, 0, '{}' from mine on conflict do nothing)
       select checkpoint.name from checkpoint join mine using (name) where checkpoint.version < mine.version`,
      [this.projections.map(({ name }) => name), this.projections.map(({ version }) => version)],
    );
    const names = new Set(rows.map(({ name }) => name));
    return this.projections.filter(({ name }) => names.has(name));
  }
}
