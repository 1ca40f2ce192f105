import type { Sample, SampleDetail } from '../../application/catalogue/contract.js';
import type { ViewerId } from '../../application/catalogue/queries.js';
import { ListedSampleQueries } from '../../application/library/queries.js';
import { DatabaseAdapter, Database, prepared } from '../platform/database/database.js';
import { CREATOR_JOINS, SAMPLE, viewerColumns } from '../platform/database/json-shapes.js';

interface Marks {
  saved: boolean;
  owned: boolean;
}

interface SampleRow extends Marks {
  sample: Sample;
}

const asSeenBy = (viewerId: ViewerId, { sample, saved, owned }: SampleRow): Sample =>
  viewerId === undefined ? sample : { ...sample, saved, owned };

/**
 * SQL for whether a viewer may hear `sample s`: it was not taken down, and it is on sale or the viewer owns or made
 * it.
 */
export const heardBy = (
  parameter: string,
): string => `not s.taken_down and (s.available or s.creator_id = ${parameter}
  or exists (select from owned_sample
              where buyer_id = ${parameter} and sample_id = s.sample_id and returned_at is null))`;

/**
 * Returns the samples among `ids` that are on sale or, if `heard`, that the viewer may hear, in the order of
 * `ids`.
 */
export async function listedSamples(
  database: Database,
  ids: readonly string[],
  viewerId: ViewerId,
  { heard = false } = {},
): Promise<Sample[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.pool.query<SampleRow>(
    prepared(
      heard ? 'heard-samples' : 'listed-samples',
      `select ${SAMPLE} as sample, ${viewerColumns('$2')}
             from unnest($1::text[]) with ordinality as wanted(sample_id, place)
             join sample s on s.sample_id = wanted.sample_id and ${heard ? heardBy('$2') : 's.available'}
             join pack p on p.pack_id = s.pack_id ${CREATOR_JOINS}
            order by wanted.place`,
      [ids, viewerId ?? null],
    ),
  );
  return rows.map((row) => asSeenBy(viewerId, row));
}

type OriginalFacts = Pick<SampleDetail, 'format' | 'sizeBytes' | 'sampleRateHz' | 'channels' | 'onSale'>;

/**
 * Returns a sample that is on sale, or that the viewer owns or made; undefined for any other sample, and after a
 * takedown.
 */
export async function sampleDetail(
  database: Database,
  sampleId: string,
  viewerId: ViewerId,
): Promise<SampleDetail | undefined> {
  const { rows } = await database.pool.query<SampleRow & OriginalFacts & { certificateId: string | null }>(
    prepared(
      'sample-detail',
      `select ${SAMPLE} as sample, ${viewerColumns('$2')}, s.available as "onSale", s.format,
              s.original_bytes as "sizeBytes", s.sample_rate_hz as "sampleRateHz", s.channels,
              o.certificate_id as "certificateId"
         from sample s join pack p on p.pack_id = s.pack_id ${CREATOR_JOINS}
         left join owned_sample o on o.buyer_id = $2 and o.sample_id = s.sample_id and o.returned_at is null
        where s.sample_id = $1 and ${heardBy('$2')}`,
      [sampleId, viewerId ?? null],
    ),
  );
  const [row] = rows;
  if (!row) return undefined;
  const { sample: _, saved: _saved, owned: _owned, certificateId, ...facts } = row;
  const sample = asSeenBy(viewerId, row);
  return { ...sample, ...facts, ...(certificateId !== null && { certificateId }) };
}

export async function marksOf(
  database: Database,
  ids: readonly string[],
  viewerId: string,
): Promise<Map<string, Marks>> {
  const { rows } = await database.pool.query<Marks & { id: string }>(
    prepared(
      'marks-of-samples',
      `select s.sample_id as id, ${viewerColumns('$2')} from unnest($1::text[]) as s(sample_id)`,
      [ids, viewerId],
    ),
  );
  return new Map(rows.map(({ id, saved, owned }) => [id, { saved, owned }]));
}

export async function listedSamplesOfPack(
  database: Database,
  packId: string,
  viewerId: ViewerId,
): Promise<Sample[]> {
  const { rows } = await database.pool.query<SampleRow>(
    prepared(
      'listed-samples-of-pack',
      `select ${SAMPLE} as sample, ${viewerColumns('$2')}
             from sample s join pack p on p.pack_id = s.pack_id ${CREATOR_JOINS}
            where s.pack_id = $1 and s.available order by s.ordinal, s.sample_id`,
      [packId, viewerId ?? null],
    ),
  );
  return rows.map((row) => asSeenBy(viewerId, row));
}

export class PostgresListedSampleQueries extends DatabaseAdapter implements ListedSampleQueries {
  async byIds(ids: string[], viewerId: ViewerId): Promise<Map<string, Sample>> {
    return byId(await listedSamples(this.database, ids, viewerId));
  }

  async heardByIds(ids: string[], viewerId: ViewerId): Promise<Map<string, Sample>> {
    return byId(await listedSamples(this.database, ids, viewerId, { heard: true }));
  }
}

const byId = (samples: readonly Sample[]): Map<string, Sample> =>
  new Map(samples.map((sample) => [sample.id, sample]));
