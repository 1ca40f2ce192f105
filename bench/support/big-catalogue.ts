import type { Database } from '../../adapters/platform/database/database.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS } from '../../domain/catalogue/vocabulary.js';

export const SAMPLES_OF_PACK = 25;
const SAMPLES_OF_CREATOR = 500;
const BATCH = 50_000;
const KNOWN_WORDS =
  'drum loop kick snare hat bass vinyl crackle tape piano keys dust night velvet soft hard deep low high warm cold slow fast rain street jazz soul choir horn brass'.split(
    ' ',
  );

/** Returns the known words, then words of two to four syllables. Words near the front occur in more titles. */
function vocabulary(size: number): string[] {
  const syllables = 'ka lo mi ren tas vu bel dor fin gra hul jem nos pir qua shi tor wen yar zek'.split(' ');
  const words = new Set(KNOWN_WORDS);
  for (let n = 7; words.size < size; n = (n * 1_103_515_245 + 12_345) % 2_147_483_648) {
    const length = 2 + ((n >>> 8) % 3);
    words.add(Array.from({ length }, (_, at) => syllables[(n >>> (at * 5 + 4)) % syllables.length]).join(''));
  }
  return [...words];
}

/**
 * Adds published samples until there are `size`, 25 per pack and 500 per creator. Writes packs, samples and search
 * rows directly. Drops the indexes first and recreates them at the end.
 */
export async function growCatalogue(database: Database, from: number, size: number): Promise<void> {
  const { rows: indexes } = await database.pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename in ('catalogue_sample', 'sample', 'pack') and indexname not like '%_pkey'`,
  );
  for (const { name } of indexes) await database.pool.query(`drop index ${name}`);
  const words = vocabulary(4_000);
  const labels = [words, [...GENRES], [...MOODS], [...KEYS], [...INSTRUMENTS]];
  await database.pool.query('select setseed(0.42)');
  for (let first = from; first < size; first += BATCH)
    await addSamples(database, first, Math.min(first + BATCH, size), labels);
  await addPacksAndPeople(database, from, size, labels);
  for (const { definition } of indexes) await database.pool.query(definition);
  await database.pool.query('vacuum analyze catalogue_sample, sample, pack, user_account, creator_profile');
  await database.pool.query(
    `insert into checkpoint values ('catalogue-search', $1, 0) on conflict (name) do nothing`,
    [catalogueSearch.version],
  );
}

/** SQL for a label that is the same for all samples of a pack, and always the same for a number. */
const ofPack = (label: string, number: string): string =>
  `(${label})[1 + (hashint4(${number}) & 1048575) % cardinality(${label})]`;

async function addSamples(database: Database, first: number, end: number, labels: string[][]): Promise<void> {
  const word = '($3::text[])[1 + floor(power(random(), 4) * cardinality($3::text[]))::int]';
  await database.pool.query(
    `with made as materialized (
       select n, n / ${SAMPLES_OF_PACK} as pack,
              ${word} || ' ' || ${word} || ' ' || ${word} || case when random() < 0.3 then ' ' || (n % 100) else '' end as title,
              (60 + floor(random() * 120))::int as bpm, ($6::text[])[1 + floor(random() * cardinality($6::text[]))::int] as key,
              array[($7::text[])[1 + n % cardinality($7::text[])], ($7::text[])[1 + (n / 7) % cardinality($7::text[])]] as instruments,
              floor(1000 * power(random(), 6))::int as popularity
         from generate_series($1::int, $2::int - 1) as n),
     listed as (
       insert into catalogue_sample
       select 's' || lpad(n::text, 9, '0'), 'p' || pack, 'c' || n / ${SAMPLES_OF_CREATOR}, title,
              ${ofPack('$3::text[]', 'pack')} || ' ' || ${ofPack('$3::text[]', 'pack + 77')} || ' kit ' || pack
                || E'\\n' || lower(${ofPack('$4::text[]', 'pack + 1')}) || E'\\n' || lower(${ofPack('$5::text[]', 'pack + 2')})
                || E'\\n' || lower(array_to_string(instruments, E'\\n')),
              ${ofPack('$4::text[]', 'pack + 1')}, ${ofPack('$5::text[]', 'pack + 2')}, key, bpm, instruments, popularity,
              timestamptz '2026-01-01' + pack * interval '1 minute', hashint4(n), 500 + (n % 40) * 250,
              (array['loop', 'one-shot', 'take'])[1 + n % 3], n % 5 = 0, n % 50 = 0, 1 + n % 5
         from made)
     insert into sample (sample_id, pack_id, creator_id, title, title_lower, ordinal, price_credits, available, bpm, key,
       instruments, is_royalty_free, audio_version, original_key, original_sha256, original_bytes, original_filename,
       content_type, format, sample_rate_hz, bit_depth, channels, duration_ms, preview_key, waveform, waveform_fine,
       suggestions, created_at, updated_at)
     select 's' || lpad(n::text, 9, '0'), 'p' || pack, 'c' || n / ${SAMPLES_OF_CREATOR}, initcap(title), title,
            n % ${SAMPLES_OF_PACK}, 1, true, bpm, key, instruments, true, 1, '', '', 1000, '', 'audio/wav', 'wav', 44100, 16, 2,
            4000, 'media/previews/' || md5(n::text) || '.mp3', array(select (n * i) % 100 from generate_series(1, 50) i), '{}',
            '{}', now(), now()
       from made`,
    [first, end, ...labels],
  );
}

async function addPacksAndPeople(
  database: Database,
  from: number,
  size: number,
  labels: string[][],
): Promise<void> {
  const people = [Math.ceil(from / SAMPLES_OF_CREATOR), Math.ceil(size / SAMPLES_OF_CREATOR)];
  await database.pool.query(
    `insert into user_account (user_id, email, display_name, created_at)
     select 'c' || n, 'c' || n || '@example.com', initcap(${ofPack('$3::text[]', 'n')}) || ' ' || n, now()
       from generate_series($1::int, $2::int - 1) n`,
    [...people, labels[0]],
  );
  await database.pool.query(
    `insert into creator_profile (user_id, handle, updated_at)
     select 'c' || n, 'c_' || n, now() from generate_series($1::int, $2::int - 1) n`,
    people,
  );
  await database.pool.query(
    `insert into pack (pack_id, creator_id, title, title_lower, slug, folder, genre, mood, description, status,
                       default_cost_credits, sample_count, created_at, updated_at, published_at, version, position)
     select pack_id, min(creator_id), initcap(split_part(min(text_lower), E'\\n', 1)), split_part(min(text_lower), E'\\n', 1),
            pack_id, pack_id, min(genre), min(mood), '', 'published', 1, count(*), now(), now(), min(published_at), 1, 0
       from catalogue_sample where sample_id >= 's' || lpad($1::text, 9, '0') group by pack_id`,
    [from],
  );
}
