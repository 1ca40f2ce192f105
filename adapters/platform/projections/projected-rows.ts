/** Raw SQL for COPY, which takes no parameters. */
import type { ClientBase } from 'pg';
import pg from 'pg';
import { copyOut } from '../database/copy.js';
import { parseJson } from '../database/connections.js';

/** Selects the time in whole milliseconds, because pg parses numbers several times faster than times. */
export const AT_MS = `round(date_part('epoch', recorded_at) * 1000) as at_ms`;

export const PROJECTED_COLUMNS = `position, stream, version, type, data, ${AT_MS}`;

export interface ProjectedRow {
  position: number;
  stream: string;
  version: number;
  type: string;
  data: Record<string, unknown>;
  at_ms: number;
}

export async function readProjectedPage(
  client: ClientBase,
  range: { after: number; until: number; types: readonly string[]; limit: number },
): Promise<ProjectedRow[]> {
  const { after, until, types, limit } = range;
  const rows = await copyOut(
    client,
    `select ${PROJECTED_COLUMNS} from event
      where position > ${after} and position <= ${until} and type in (${types.map(pg.escapeLiteral).join(', ')})
      order by position limit ${limit}`,
  );
  return (rows as [string, string, string, string, string, string][]).map(
    ([position, stream, version, type, data, atMs]) => ({
      position: Number(position),
      stream,
      version: Number(version),
      type,
      data: parseJson(data) as Record<string, unknown>,
      at_ms: Number(atMs),
    }),
  );
}
