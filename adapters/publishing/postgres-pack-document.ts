/** Raw SQL: PostgreSQL builds the JSON of a document, with all samples of a pack in one statement. */
import { PackDocumentQueries, type ExportedPack } from '../../application/publishing/queries.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { isoTime } from '../platform/database/json-shapes.js';

const keyOf = (column: string): string =>
  `'Users/' || coalesce(f.folder, p.creator_id) || '/' || (s.${column}->>'path')`;
/** SQL for a sample in `pack.json`. Contains the title twice, because some readers take `name` for a filename. */
const SAMPLE_DOCUMENT = `json_build_object(
  'id', s.sample_id, 'name', s.title, 'title', s.title, 'durationMs', s.duration_ms, 'key', s.key, 'bpm', s.bpm, 'hasStems', s.has_stems,
  'hasMidi', s.has_midi, 'isRoyaltyFree', s.is_royalty_free, 'kind', s.kind, 'previewStartMs', coalesce(s.preview_start_ms, 0), 'origin', s.origin, 'instruments', s.instruments,
  'originalKey', s.original_key, 'stemsKey', ${keyOf('stems')}, 'midiKey', ${keyOf('midi')}, 'creditCost', s.price_credits)`;

/** SQL for the `pack.json` of a pack. Requires PACK_DOCUMENT_SOURCE. @param listed condition for its samples */
const packDocument = (listed: string): string => `json_build_object(
  'name', p.title, 'genre', p.genre, 'mood', p.mood, 'description', p.description, 'slug', p.slug,
  'creator', ua.display_name, 'creatorId', p.creator_id,
  'creatorHandle', coalesce(cp.handle, p.creator_id), 'creatorSanitized', coalesce(cp.handle, p.creator_id),
  'creatorFolder', coalesce(cp.handle, p.creator_id), 'created', ${isoTime('p.created_at')},
  'status', p.status, 'publishedAt', ${isoTime('p.published_at')}, 'coverImage', '/' || p.cover_key,
  'defaultCreditCost', p.default_cost_credits, 'packCreditCost', p.price_credits, 'aiTraining', coalesce(ap.trains, false),
  'samples', coalesce((select json_agg(${SAMPLE_DOCUMENT} order by s.ordinal, s.sample_id)
                         from sample s where s.pack_id = p.pack_id and ${listed}), '[]'))`;

/** `pack.json` is public, so it contains only samples that may be sold. */
export const PACK_DOCUMENT = packDocument(`not s.removed and s.standing = 'free'`);
/** An export contains all samples, also withheld ones, except those that were taken down. */
const EXPORTED = `not s.removed and s.standing <> 'taken_down'`;

export const PACK_DOCUMENT_SOURCE = `pack p
  left join creator_folder f on f.user_id = p.creator_id
  left join creator_profile cp on cp.user_id = p.creator_id
  left join user_account ua on ua.user_id = p.creator_id
  left join ai_preference ap on ap.user_id = p.creator_id`;

const FILES = `coalesce((
  select json_agg(json_build_object('filename', s.original_filename, 'format', s.format) order by s.ordinal, s.sample_id)
    from sample s where s.pack_id = p.pack_id and ${EXPORTED}), '[]')`;

export class PostgresPackDocumentQueries extends DatabaseAdapter implements PackDocumentQueries {
  async exported(creatorId: string, idOrSlug: string): Promise<ExportedPack | undefined> {
    const { rows } = await this.database.pool.query<ExportedPack>(
      `select ${packDocument(EXPORTED)} as document, ${FILES} as files, p.cover_key as "coverKey",
              p.takedown_reason as "takedownReason"
         from ${PACK_DOCUMENT_SOURCE}
        where p.creator_id = $1 and p.status <> 'deleted' and (p.pack_id = $2 or p.slug = $2)
        order by p.pack_id = $2 desc limit 1`,
      [creatorId, idOrSlug],
    );
    return rows[0];
  }
}
