import type { ViewerId } from '../../../application/catalogue/queries.js';
import type { PartSuggestions, Playing } from '../../../application/library/workbenches/contract.js';
import { EVERY_TRACK } from '../../../domain/catalogue/filter.js';
import type { Kind } from '../../../domain/shared/kind.js';
import {
  INSTRUMENTS_OF,
  missingPart,
  suggestedFor,
  whyMissing,
  type Candidate,
  type Part,
} from '../../../domain/catalogue/missing-part.js';
import { SOUND_VERSION } from '../../../domain/catalogue/sound/facts.js';
import { prepared, type Database } from '../../platform/database/database.js';
import type { CatalogueIndex } from '../../platform/search/catalogue-index.js';
import { byChange, type Listed } from '../../platform/search/rows.js';
import { heardBy } from '../postgres-listed-samples.js';

/** The number of samples to choose from: enough to find samples by several creators that mask no lane. */
const CANDIDATES = 200;
/** One-shots are not suggested, because a single hit cannot play a part of a song. */
const KINDS_OF: Record<Part, readonly Kind[]> = {
  drums: ['loop'],
  bass: ['loop'],
  chords: ['loop'],
  texture: ['loop', 'take'],
};

/**
 * Returns the first part of a song that no lane plays. `found` are samples for this part that need little change of
 * tempo or pitch to fit the project.
 */
export async function suggestedParts(
  database: Database,
  index: CatalogueIndex,
  { lanes: ids, genre, ...project }: Playing,
  viewerId: ViewerId,
): Promise<Pick<PartSuggestions, 'missing' | 'because'> & { found: (Listed & { reason: string })[] }> {
  const lanes = await playedSamples(database, ids, viewerId);
  const missing = missingPart(lanes);
  if (!missing) return { missing: null, because: null, found: [] };
  const listed = new Map<string, Listed>();
  for (const genres of genre ? [[genre], []] : [[]]) {
    const filter = {
      ...EVERY_TRACK,
      mode: 'collection' as const,
      genres,
      instruments: INSTRUMENTS_OF[missing],
    };
    const found = KINDS_OF[missing].flatMap((kind) =>
      index.leastChanged({ filter: { ...filter, kind }, scope: {}, project }, CANDIDATES),
    );
    for (const each of found.sort(byChange)) if (!listed.has(each.sampleId)) listed.set(each.sampleId, each);
  }
  for (const id of ids) listed.delete(id);
  const candidates = await playedSamples(database, [...listed.keys()], viewerId);
  return {
    missing,
    because: whyMissing(missing, lanes, project),
    found: suggestedFor(missing, lanes, candidates, project).map(({ sampleId, reason }) => ({
      ...(listed.get(sampleId) as Listed),
      reason,
    })),
  };
}

/** Returns those samples that the viewer may hear, in the order of `ids`. */
async function playedSamples(
  database: Database,
  ids: readonly string[],
  viewerId: ViewerId,
): Promise<Candidate[]> {
  if (ids.length === 0) return [];
  // Raw SQL: keeps the order of a list of ids.
  const { rows } = await database.pool.query<Omit<Candidate, 'descriptors'> & { descriptors: Buffer | null }>(
    prepared(
      'played-samples',
      `select s.sample_id as "sampleId", s.creator_id as "creatorId", s.bpm, s.key, s.instruments, d.descriptors
         from unnest($1::text[]) with ordinality as wanted(sample_id, place)
         join sample s on s.sample_id = wanted.sample_id and ${heardBy('$2')}
         left join sound_descriptor d
           on d.sample_id = s.sample_id and d.audio_version = s.audio_version and d.version = ${SOUND_VERSION}
        order by wanted.place`,
      [ids, viewerId ?? null],
    ),
  );
  return rows.map((row) => ({ ...row, descriptors: row.descriptors && Int8Array.from(row.descriptors) }));
}
