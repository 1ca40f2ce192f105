import type { SimilarSamples } from '../../../application/catalogue/contract.js';
import type { ViewerId } from '../../../application/catalogue/queries.js';
import { enharmonicKeys, type MusicalKey } from '../../../domain/catalogue/vocabulary.js';
import type { Database } from '../../platform/database/database.js';
import { listedSamples } from '../postgres-listed-samples.js';

const SIMILAR_LIMIT = 10;
/** A tempo difference this small is not audible in a mix. Half and double time count too. */
const TEMPO_TOLERANCE_BPM = 3;

interface Match {
  sample_id: string;
  same_key: boolean;
  same_tempo: boolean;
  equal_tempo: boolean;
  same_genre: boolean;
  shared: string[];
}

export async function similarSamples(
  database: Database,
  sampleId: string,
  viewerId: ViewerId,
): Promise<SimilarSamples | undefined> {
  const model = await database.db
    .selectFrom('catalogue_sample')
    .select(['genre', 'key', 'bpm', 'instruments'])
    .where('sample_id', '=', sampleId)
    .executeTakeFirst();
  if (!model) return undefined;
  const keys = model.key === null ? [] : enharmonicKeys(model.key as MusicalKey);
  const tempos = model.bpm === 0 ? [] : [model.bpm, model.bpm / 2, model.bpm * 2];
  // Raw SQL: the query ranks samples by shared key, tempo, genre and instruments, and intersects arrays to find the
  // instruments.
  const { rows } = await database.pool.query<Match>(
    `select * from (
       select sample_id, popularity,
              coalesce(key = any($2::text[]), false) as same_key,
              exists (select 1 from unnest($3::float8[]) as tempo where bpm > 0 and abs(bpm - tempo) <= $4) as same_tempo,
              bpm = $8 as equal_tempo,
              genre = $5 as same_genre,
              array(select unnest(instruments) intersect select unnest($6::text[]) order by 1) as shared
         from catalogue_sample
        where sample_id <> $1 and (genre = $5 or key = any($2::text[]) or instruments && $6::text[])
     ) as candidate
     order by 3 * same_key::int + 2 * same_tempo::int + 2 * same_genre::int + least(cardinality(shared), 3) desc,
              popularity desc, sample_id
     limit $7`,
    [sampleId, keys, tempos, TEMPO_TOLERANCE_BPM, model.genre, model.instruments, SIMILAR_LIMIT, model.bpm],
  );
  const samples = await listedSamples(
    database,
    rows.map((row) => row.sample_id),
    viewerId,
  );
  const matches = new Map(rows.map((row) => [row.sample_id, row]));
  return {
    items: samples.map((sample) => ({ ...sample, reasons: reasonsOf(matches.get(sample.id) as Match) })),
  };
}

const reasonsOf = ({ same_key, same_tempo, equal_tempo, same_genre, shared }: Match): string[] => [
  ...(same_key ? ['Same key'] : []),
  ...(same_tempo ? [equal_tempo ? 'Same tempo' : 'Fits the tempo'] : []),
  ...(same_genre ? ['Same genre'] : []),
  ...shared.map((instrument) => `Also has ${instrument}`),
];
