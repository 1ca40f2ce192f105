import type { ClientBase } from 'pg';
import type { SampleAudio } from '../../../domain/publishing/audio.js';
import type { PackEvent } from '../../../domain/publishing/pack-messages.js';

type Data<Type extends PackEvent['type']> = Extract<PackEvent, { type: Type }>['data'];

/** The sample rows of `own-packs`: called once for each event a pack has not seen yet. */
export async function applySampleEvent(client: ClientBase, { type, data }: PackEvent): Promise<void> {
  switch (type) {
    case 'SampleAdded':
      return insertSample(client, data);
    case 'SampleDescribed':
      await client.query(
        `update sample set title = $2, title_lower = $3, bpm = $4, key = $5, instruments = $6,
                           is_royalty_free = $7, updated_at = $8 where sample_id = $1`,
        [data.sampleId, data.title, data.title.toLowerCase(), data.bpm, data.key, data.instruments, data.isRoyaltyFree, data.at],
      ); // prettier-ignore
      return;
    case 'SamplePriceChanged':
      await client.query(`update sample set price_credits = $2, updated_at = $3 where sample_id = $1`, [
        data.sampleId,
        data.priceCredits,
        data.at,
      ]);
      return;
    case 'SampleAudioReplaced':
      return replaceAudio(client, data);
    case 'SampleRemoved':
      await client.query(
        `update sample set removed = true, available = false, updated_at = $2 where sample_id = $1`,
        [data.sampleId, data.at],
      );
      return countSamples(client, data.packId);
    case 'SamplesReordered':
      await client.query(
        `update sample set ordinal = wanted.ordinal::int
           from unnest($2::text[]) with ordinality as wanted(sample_id, ordinal)
          where sample.pack_id = $1 and sample.sample_id = wanted.sample_id`,
        [data.packId, data.sampleIds],
      );
      return;
    case 'StemsAttached':
      await client.query(`update sample set has_stems = true, stems = $2, updated_at = $3 where sample_id = $1`, [
        data.sampleId, attachmentOf(data), data.at,
      ]); // prettier-ignore
      return;
    case 'MidiAttached':
      await client.query(`update sample set has_midi = true, midi = $2, updated_at = $3 where sample_id = $1`, [
        data.sampleId, attachmentOf(data), data.at,
      ]); // prettier-ignore
      return;
  }
}

const attachmentOf = ({ filename, path, sha256, sizeBytes, contentType }: Data<'StemsAttached'>): string =>
  JSON.stringify({ filename, path, sha256, sizeBytes, contentType });

const AUDIO_COLUMNS = [
  'audio_version', 'original_sha256', 'original_bytes', 'original_filename', 'content_type', 'format',
  'sample_rate_hz', 'bit_depth', 'channels', 'duration_ms', 'preview_key', 'waveform', 'waveform_fine',
  'loudness_lufs', 'suggestions',
]; // prettier-ignore

/** In the order of AUDIO_COLUMNS. */
const audioValues = (audio: SampleAudio): unknown[] => [
  audio.audioVersion, audio.sha256, audio.sizeBytes, audio.filename, audio.contentType, audio.format,
  audio.sampleRateHz, audio.bitDepth, audio.channels, audio.durationMs, audio.previewKey, audio.waveform,
  audio.waveformFine, audio.loudnessLufs, JSON.stringify(audio.suggestions),
]; // prettier-ignore

const placeholders = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ');

/** The original's full key: the events say where it lies below the creator's folder. */
const ORIGINAL_KEY = `'Users/' || coalesce((select folder from creator_folder where user_id = pack.creator_id), pack.creator_id) || '/' ||`;

async function insertSample(client: ClientBase, data: Data<'SampleAdded'>): Promise<void> {
  await client.query(
    `insert into sample (sample_id, pack_id, creator_id, title, title_lower, price_credits, bpm, key, instruments,
                         is_royalty_free, created_at, updated_at, ${AUDIO_COLUMNS.join(', ')},
                         available, ordinal, original_key)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, ${placeholders(13, AUDIO_COLUMNS.length)},
            pack.status = 'published',
            coalesce((select max(ordinal) from sample where pack_id = $2 and not removed), 0) + 1,
            ${ORIGINAL_KEY} $12
       from pack where pack_id = $2
     on conflict (sample_id) do nothing`,
    [
      data.sampleId, data.packId, data.creatorId, data.title, data.title.toLowerCase(), data.priceCredits, data.bpm,
      data.key, data.instruments, data.isRoyaltyFree, data.at, data.originalPath, ...audioValues(data),
    ],
  ); // prettier-ignore
  await countSamples(client, data.packId);
}

async function replaceAudio(client: ClientBase, data: Data<'SampleAudioReplaced'>): Promise<void> {
  await client.query(
    `update sample set (${AUDIO_COLUMNS.join(', ')}) = row(${placeholders(4, AUDIO_COLUMNS.length)}),
                       original_key = ${ORIGINAL_KEY} $2, updated_at = $3
       from pack where sample.sample_id = $1 and pack.pack_id = sample.pack_id`,
    [data.sampleId, data.originalPath, data.at, ...audioValues(data)],
  );
}

async function countSamples(client: ClientBase, packId: string): Promise<void> {
  await client.query(
    `update pack set sample_count = (select count(*) from sample where pack_id = $1 and not removed)
      where pack_id = $1`,
    [packId],
  );
}
