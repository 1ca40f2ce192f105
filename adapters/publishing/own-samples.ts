/** Raw SQL, because one statement applies the events of any number of samples. */
import type { ClientBase } from 'pg';
import type { SampleAudio } from '../../domain/publishing/audio.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';
import { claimAfter, claimKey, type SampleStatusEvent } from '../../domain/publishing/sample-status.js';

type Data<Type extends PackEvent['type']> = Extract<PackEvent, { type: Type }>['data'];

const lastOfEach = (facts: readonly PackEvent[]): { sampleId: string; at: string }[] => [
  ...new Map(facts.map(({ data }) => [(data as { sampleId: string }).sampleId, data as never])).values(),
];

/** Returns the first `SampleAdded` of each sample, because adding a sample twice has no effect. */
function firstOfEach(facts: readonly PackEvent[]): object[] {
  const first = new Map<string, object>();
  for (const { data } of facts) {
    const { sampleId } = data as { sampleId: string };
    if (!first.has(sampleId)) first.set(sampleId, data);
  }
  return [...first.values()];
}

function claimsOf(facts: readonly SampleStatusEvent[]): { sampleId: string; claims: object }[] {
  const bySample = new Map<string, Record<string, object>>();
  for (const event of facts) {
    const { sampleId, sha256, because } = event.data;
    const claims = bySample.get(sampleId) ?? {};
    const remark = 'remarkId' in event.data ? { remarkId: event.data.remarkId } : {};
    claims[claimKey(because, sha256)] = { standing: claimAfter(event), ...remark };
    bySample.set(sampleId, claims);
  }
  return [...bySample].map(([sampleId, claims]) => ({ sampleId, claims }));
}

/** Returns each sample's place in the last order of its pack, one row per sample. */
function placesOf(run: readonly PackEvent[]): object[] {
  const last = new Map(run.map(({ data }) => [data.packId, data as Data<'SamplesReordered'>]));
  return [...last.values()].flatMap(({ packId, sampleIds }) =>
    sampleIds.map((sampleId, index) => ({ packId, sampleId, place: index + 1 })),
  );
}

const described = (data: object) => ({
  ...data,
  lower: (data as Data<'SampleDescribed'>).title.toLowerCase(),
});

const attached = (data: object) => {
  const { sampleId, at, filename, path, sha256, sizeBytes, contentType } = data as Data<'StemsAttached'>;
  return { sampleId, at, attachment: { filename, path, sha256, sizeBytes, contentType } };
};

/** Audio columns of `sample`, each with the JSON field that fills it, and its SQL type. */
const AUDIO = [
  ['audio_version', 'audioVersion', 'int'],
  ['original_sha256', 'sha256', 'text'],
  ['original_bytes', 'sizeBytes', 'bigint'],
  ['original_filename', 'filename', 'text'],
  ['content_type', 'contentType', 'text'],
  ['format', 'format', 'text'],
  ['sample_rate_hz', 'sampleRateHz', 'int'],
  ['bit_depth', 'bitDepth', 'int'],
  ['channels', 'channels', 'int'],
  ['duration_ms', 'durationMs', 'int'],
  ['preview_key', 'previewKey', 'text'],
  ['preview_start_ms', 'previewStartMs', 'int'],
  ['waveform', 'waveform', 'int[]'],
  ['waveform_fine', 'waveformFine', 'int[]'],
  ['loudness_lufs', 'loudnessLufs', 'real'],
  ['suggestions', 'suggestions', 'jsonb'],
] as const;
const AUDIO_COLUMNS = AUDIO.map(([column]) => column).join(', ');
const AUDIO_FIELDS = AUDIO.map(([, field]) => `e."${field}"`).join(', ');
const AUDIO_TYPES = AUDIO.map(([, field, type]) => `"${field}" ${type}`).join(', ');

const audioOf = (data: { sampleId: string; at: string } & SampleAudio) => {
  const fields = Object.fromEntries(AUDIO.map(([, field]) => [field, data[field]]));
  return { ...fields, sampleId: data.sampleId, at: data.at, originalPath: data.originalPath };
};

const rowOf = (data: object) => ({ ...described(data), ...audioOf(data as Data<'SampleAdded'>) });

/** SQL for the full key of the original. Events have only its path below the creator's folder. */
const ORIGINAL_KEY = `'Users/' || coalesce((select folder from creator_folder where user_id = pack.creator_id), pack.creator_id) || '/' || e."originalPath"`;

const insert = `
  insert into sample (sample_id, pack_id, creator_id, title, title_lower, price_credits, bpm, key, instruments,
                      is_royalty_free, kind, origin, created_at, updated_at, ${AUDIO_COLUMNS}, available, ordinal, original_key)
  select e."sampleId", e."packId", e."creatorId", e.title, e.lower, e."priceCredits", e.bpm, e.key, e.instruments,
         e."isRoyaltyFree", e.kind, e.origin, e.at, e.at, ${AUDIO_FIELDS}, pack.status = 'published',
         coalesce((select max(ordinal) from sample where sample.pack_id = e."packId" and not removed), 0)
           + row_number() over (partition by e."packId" order by e.n),
         ${ORIGINAL_KEY}
    from rows from (json_to_recordset($1) as ("sampleId" text, "packId" text, "creatorId" text, title text, lower text,
           "priceCredits" int, bpm int, key text, instruments text[], "isRoyaltyFree" boolean, kind text, origin text, at timestamptz,
           "originalPath" text, ${AUDIO_TYPES})) with ordinality
           as e("sampleId", "packId", "creatorId", title, lower, "priceCredits", bpm, key, instruments, "isRoyaltyFree",
                kind, origin, at, "originalPath", ${AUDIO.map(([, field]) => `"${field}"`).join(', ')}, n)
    join pack on pack.pack_id = e."packId"
   where not exists (select 1 from sample where sample.sample_id = e."sampleId")
  on conflict (sample_id) do nothing`;

const describe = `
  update sample set title = e.title, title_lower = e.lower, bpm = e.bpm, key = e.key, instruments = e.instruments,
                    is_royalty_free = e."isRoyaltyFree", kind = e.kind, origin = e.origin, updated_at = e.at
    from json_to_recordset($1) as e("sampleId" text, title text, lower text, bpm int, key text, instruments text[],
           "isRoyaltyFree" boolean, kind text, origin text, at timestamptz)
   where sample_id = e."sampleId"`;

const price = `
  update sample set price_credits = e."priceCredits", updated_at = e.at
    from json_to_recordset($1) as e("sampleId" text, "priceCredits" int, at timestamptz) where sample_id = e."sampleId"`;

const replaceAudio = `
  update sample set (${AUDIO_COLUMNS}) = row(${AUDIO_FIELDS}), original_key = ${ORIGINAL_KEY}, updated_at = e.at
    from json_to_recordset($1) as e("sampleId" text, at timestamptz, "originalPath" text, ${AUDIO_TYPES}), pack
   where sample.sample_id = e."sampleId" and pack.pack_id = sample.pack_id`;

const choosePreview = `
  update sample set preview_key = e."previewKey", preview_start_ms = e."previewStartMs", waveform = e.waveform,
                    waveform_fine = e."waveformFine", updated_at = e.at
    from json_to_recordset($1) as e("sampleId" text, at timestamptz, "previewKey" text, "previewStartMs" int,
           waveform int[], "waveformFine" int[])
   where sample_id = e."sampleId"`;

const remove = `
  update sample set removed = true, available = false, updated_at = e.at
    from json_to_recordset($1) as e("sampleId" text, at timestamptz) where sample_id = e."sampleId"`;

const reorder = `
  update sample set ordinal = e.place
    from json_to_recordset($1) as e("packId" text, "sampleId" text, place int)
   where sample.pack_id = e."packId" and sample.sample_id = e."sampleId"`;

const attach = (what: 'stems' | 'midi'): string => `
  update sample set has_${what} = true, ${what} = e.attachment, updated_at = e.at
    from json_to_recordset($1) as e("sampleId" text, at timestamptz, attachment jsonb) where sample_id = e."sampleId"`;

const claim = `
  update sample set claims = sample.claims || e.claims
    from json_to_recordset($1) as e("sampleId" text, claims jsonb) where sample_id = e."sampleId"`;

/** SQL for the status of each sample: that of the strictest claim against its current original. */
const OFFERED = `
  select s.sample_id, p.status, coalesce((
           select c.claim->>'standing' from jsonb_each(s.claims) as c(key, claim)
            where c.key like '% ' || s.original_sha256 and c.claim->>'standing' in ('held', 'refused', 'taken_down')
            order by array_position(array['taken_down', 'refused', 'held'], c.claim->>'standing') limit 1), 'free') as standing
    from sample s join pack p using (pack_id) where s.pack_id = any($1)`;

export async function offerSamples(client: ClientBase, packIds: readonly string[]): Promise<void> {
  await client.query(
    `update sample set standing = o.standing,
                       available = o.status = 'published' and not sample.removed and o.standing = 'free',
                       taken_down = o.status = 'taken_down' or o.standing = 'taken_down'
       from (${OFFERED}) as o where sample.sample_id = o.sample_id`,
    [packIds],
  );
}

async function countSamples(client: ClientBase, packIds: readonly string[]): Promise<void> {
  await client.query(
    `update pack set sample_count = (select count(*) from sample where sample.pack_id = pack.pack_id and not removed and standing = 'free')
      where pack_id = any($1)`,
    [packIds],
  );
}

/** Writes a run of events of one type that the rows do not contain yet. */
type WriteRun = (first: PackEvent, client: ClientBase, run: readonly PackEvent[]) => Promise<void>;

/** Returns a function that writes the rows of a run, and then calls each of `then` with the packs of the run. */
export const write =
  (
    sql: string,
    rowsOf: (run: readonly PackEvent[]) => readonly object[] = lastOfEach,
    ...then: ((client: ClientBase, packIds: readonly string[]) => Promise<void>)[]
  ): WriteRun =>
  async (_, client, run) => {
    await client.query(sql, [JSON.stringify(rowsOf(run))]);
    for (const update of then) await update(client, [...new Set(run.map(({ data }) => data.packId))]);
  };

const claimed = write(
  claim,
  (run) => claimsOf(run as readonly SampleStatusEvent[]),
  offerSamples,
  countSamples,
);

/** Writes the sample rows of the projection `own-packs`, by event type. */
export const SAMPLE_RUNS = {
  SampleAdded: write(insert, (run) => firstOfEach(run).map(rowOf), countSamples),
  SampleDescribed: write(describe, (run) => lastOfEach(run).map(described)),
  SamplePriceChanged: write(price),
  SampleAudioReplaced: write(
    replaceAudio,
    (run) => lastOfEach(run).map((data) => audioOf(data as Data<'SampleAudioReplaced'>)),
    offerSamples,
    countSamples,
  ),
  SamplePreviewChosen: write(choosePreview),
  SampleHeld: claimed,
  SampleRefused: claimed,
  SampleTakenDown: claimed,
  SampleReleased: claimed,
  SampleRemoved: write(remove, lastOfEach, countSamples),
  SamplesReordered: write(reorder, placesOf),
  StemsAttached: write(attach('stems'), (run) => lastOfEach(run).map(attached)),
  MidiAttached: write(attach('midi'), (run) => lastOfEach(run).map(attached)),
};
