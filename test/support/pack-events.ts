import type { RecordedEvent } from '../../application/shared/event-store.js';
import type { SampleAudio } from '../../domain/publishing/audio.js';
import type { PackEvent } from '../../domain/publishing/pack-messages.js';

/** The path below the creator's folder that every sample made here names. No such file exists. */
export const RECORDED_FILE = 'Packs/dusty-keys/samples/1_a.wav';

const at = '2026-11-20T12:00:00.000Z';

export const someAudio: SampleAudio = {
  audioVersion: 1,
  filename: 'Keys_90bpm_Cmin.wav',
  originalPath: RECORDED_FILE,
  sha256: 'a'.repeat(64),
  sizeBytes: 1_000,
  format: 'wav',
  contentType: 'audio/wav',
  sampleRateHz: 44_100,
  bitDepth: 16,
  channels: 2,
  durationMs: 4_000,
  previewKey: `media/previews/${'b'.repeat(64)}.mp3`,
  waveform: Array.from({ length: 50 }, (_, index) => index),
  waveformFine: Array.from({ length: 400 }, (_, index) => index % 100),
  loudnessLufs: -14.5,
  suggestions: { tempo: { bpm: 90, confidence: 0.9 }, key: null },
};

type DataOf<Type extends PackEvent['type']> = Extract<PackEvent, { type: Type }>['data'];

/** Returns an event with all fields filled in; `changes` sets those that matter to the test. */
export const drafted = (changes: Partial<DataOf<'PackDrafted'>> = {}): PackEvent => ({
  type: 'PackDrafted',
  data: {
    packId: 'p1',
    at,
    creatorId: 'ada',
    name: 'Dusty Keys',
    slug: 'dusty-keys',
    folder: 'dusty-keys',
    genre: 'Lofi',
    mood: 'Chill',
    description: 'Worn felt',
    defaultCostCredits: 1,
    ...changes,
  },
});

export const sampleAdded = (changes: Partial<DataOf<'SampleAdded'>> = {}): PackEvent => ({
  type: 'SampleAdded',
  data: {
    packId: 'p1',
    at,
    sampleId: 's1',
    creatorId: 'ada',
    priceCredits: 1,
    title: 'Felt Keys',
    bpm: 90,
    key: 'C Minor',
    instruments: ['Piano'],
    isRoyaltyFree: true,
    ...someAudio,
    ...changes,
  },
});

export const published = (packId = 'p1', publishedAt = at): PackEvent => ({
  type: 'PackPublished',
  data: { packId, at: publishedAt, publishedAt },
});

/** Returns a function that gives events their versions and log positions. */
export function recorder() {
  let position = 0;
  const versions = new Map<string, number>();
  return (stream: string, ...facts: Array<{ type: string; data: object }>): RecordedEvent[] =>
    facts.map(({ type, data }) => {
      position += 1;
      const version = (versions.get(stream) ?? 0) + 1;
      versions.set(stream, version);
      return {
        position,
        stream,
        version,
        type,
        data: data as Record<string, unknown>,
        metadata: { actor: 'test', correlationId: 'test' },
        recordedAt: new Date(at),
        hash: '',
      };
    });
}
