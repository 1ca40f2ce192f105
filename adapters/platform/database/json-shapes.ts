import { BAR_MS_BPM, ONE_SHOT_MS, TITLE_WORDS } from '../../../domain/catalogue/kind.js';

/** SQL that returns JSON in the shapes of the contract, so that rows need no mapping. */

export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for the `CreatorRef` of `p.creator_id`. The query must contain CREATOR_JOINS. */
export const CREATOR_REF = `json_build_object(
  'id', p.creator_id, 'handle', coalesce(cp.handle, p.creator_id),
  'displayName', coalesce(ua.display_name, 'Former creator'),
  'avatarUrl', '/media/avatars/' || regexp_replace(ua.avatar_key, '^.*/', ''),
  'verified', coalesce(cs.status = 'approved' and cn.verified_name = ua.display_name, false), 'aiTraining', coalesce(ap.trains, false))`;

export const CREATOR_JOINS = `
  left join user_account ua on ua.user_id = p.creator_id
  left join creator_profile cp on cp.user_id = p.creator_id
  left join creator_standing cs on cs.user_id = p.creator_id
  left join creator_name cn on cn.user_id = p.creator_id
  left join ai_preference ap on ap.user_id = p.creator_id`;

export const PACK_CARD = `json_build_object(
  'id', p.pack_id, 'title', p.title, 'slug', p.slug, 'creator', ${CREATOR_REF}, 'genre', p.genre, 'mood', p.mood,
  'sampleCount', p.sample_count, 'artworkUrl', '/' || p.cover_key, 'description', p.description,
  'publishedAt', ${isoTime('p.published_at')})`;

/**
 * SQL for the packs with the sounds of applications that staff have not approved. Staff may hear them, because each
 * of these applications may still be approved.
 */
export const APPLICATION_PACKS = `(select a.user_id, a.pack_id from application_pack a
  join creator_standing c using (user_id) where c.status in ('applied', 'asked', 'declined'))`;

/** SQL for whether `pack p` has a tag: as its genre, as its mood, or as an instrument of one of its samples. */
export const hasTag = (tag: string): string =>
  `(${tag} in (p.genre, p.mood) or exists
    (select from catalogue_sample s where s.pack_id = p.pack_id and ${tag} = any(s.instruments)))`;

/**
 * SQL for the kind of `sample s`: as the creator stated it, else as the analysis of the file
 * suggests, else by the rules of `kindOf`.
 */
export const KIND = `coalesce(s.kind, s.suggestions->'kind'->>'kind',
  case when s.title_lower ~ '${TITLE_WORDS.loop}' then 'loop'
       when s.title_lower ~ '${TITLE_WORDS['one-shot']}' then 'one-shot'
       when s.bpm * s.duration_ms::bigint >= ${BAR_MS_BPM} then 'loop'
       when s.duration_ms < ${ONE_SHOT_MS} then 'one-shot' else 'take' end)`;

/** SQL for the parts of `Sample` that do not depend on the viewer. The query must contain `sample s` and `pack p`. */
export const SAMPLE = `json_build_object(
  'id', s.sample_id, 'title', s.title, 'creator', ${CREATOR_REF},
  'pack', json_build_object('id', p.pack_id, 'title', p.title, 'slug', p.slug),
  'artworkUrl', '/' || p.cover_key, 'durationMs', s.duration_ms, 'bpm', s.bpm, 'key', s.key, 'mood', p.mood,
  'genre', p.genre, 'instruments', s.instruments, 'creditCost', s.price_credits, 'hasStems', s.has_stems,
  'hasMidi', s.has_midi, 'isRoyaltyFree', s.is_royalty_free, 'kind', ${KIND}, 'origin', s.origin, 'previewUrl', '/' || s.preview_key,
  'waveform', s.waveform)`;

/** SQL for two columns: whether a viewer saved `sample s` and owns it. @param parameter `$n` with the viewer's id */
export const viewerColumns = (parameter: string): string => `
  exists (select 1 from saved_item where user_id = ${parameter} and item_id = s.sample_id) as saved,
  exists (select 1 from owned_sample where buyer_id = ${parameter} and sample_id = s.sample_id and returned_at is null) as owned`;

export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

export function nameOf(id: string | null, name: string | null): string {
  if (id === null) return 'Not recorded';
  return id.startsWith('system:') ? 'Offcut' : (name ?? 'Former member');
}

/** SQL for the remark of the event at a position; null if the event has no remark, or if the remark was erased. */
export const saidAt = (position: string): string => `(
  select r.text from readable_event e
    join remark r on r.remark_id = coalesce(e.data->'requested'->>'remarkId', e.data->>'remarkId')
   where e.position = ${position})`;
