/** Constants for screens. They are separate from the contract, so that screens do not bundle zod. */
import type { Project } from '../../domain/catalogue/fit.js';
import { keyOf } from '../../domain/catalogue/vocabulary.js';
import type { Kind } from '../../domain/shared/kind.js';

export { keyOf };
export {
  GENRES,
  INSTRUMENTS,
  KEYS,
  MOODS,
  NOTES,
  enharmonicKeys,
  genreFrom,
} from '../../domain/catalogue/vocabulary.js';
import type { Origin } from '../../domain/shared/origin.js';

export { COST_MAX_CREDITS, COST_MIN_CREDITS } from '../../domain/catalogue/filter.js';
export { SCALES } from '../../domain/catalogue/vocabulary.js';
export {
  BALANCES,
  FACT_MAX,
  factsOf,
  SOUND_FACTS,
  SOUND_VERSION,
} from '../../domain/catalogue/sound/facts.js';
export type { Balance, SoundFact, SoundFacts } from '../../domain/catalogue/sound/facts.js';
export { descriptorsOf } from '../../domain/catalogue/sound/descriptors.js';
export { mixToMono, MonoTrack } from '../../domain/catalogue/sound/mono-track.js';
export { ORIGINS } from '../../domain/shared/origin.js';
export type { Origin } from '../../domain/shared/origin.js';
export { kindOf } from '../../domain/catalogue/kind.js';
export { KINDS } from '../../domain/shared/kind.js';
export { loopLengthOf } from '../../domain/catalogue/loop.js';
export type { Kind } from '../../domain/shared/kind.js';
export { changeOf, fitOf, fitsAsItIs, keyAbove, keyInProject, placeOf } from '../../domain/catalogue/fit.js';
export type { Fit, Project } from '../../domain/catalogue/fit.js';
export type { Genre, Instrument, Mood, MusicalKey, Note, Scale } from '../../domain/catalogue/vocabulary.js';

export const TEMPO_MIN_BPM = 0;
export const TEMPO_MAX_BPM = 200;
/** The largest bound of a filter by length. */
export const LENGTH_MAX_SECONDS = 3_600;
export const PROJECT_TEMPO_MIN = 40;
export const PROJECT_TEMPO_MAX = 240;
export const FACET_LIMIT = 3;
export const SEARCH_LIMIT = 50;
export const SUGGESTIONS_LIMIT = 5;
export const WAVEFORM_BARS = 50;
export const PREVIEW_LIMIT_SECONDS = 60;
/** Limits of a listener's own sound, which the browser decodes as a whole. */
export const OWN_SOUND_MAX_MB = 50;
export const OWN_SOUND_MAX_MINUTES = 5;
/** The number of bars in the histogram of a sound fact. The bars divide the values from 0 to 100. */
export const HISTOGRAM_BARS = 20;
export const FEATURED_COLLECTIONS_LIMIT = 12;
/** Trends compare the downloads of this many days with those of as many days before. */
export const TRENDING_DAYS = 7;

/** Length of the preview in seconds: at most 60, and 60 while the length is unknown. */
export const previewSeconds = ({ durationMs }: { durationMs: number }): number =>
  durationMs > 0 ? Math.min(PREVIEW_LIMIT_SECONDS, durationMs / 1000) : PREVIEW_LIMIT_SECONDS;

/** Reads a tempo and, after a comma, a key or nothing: `90,C Minor`. Returns undefined for anything else. */
export function projectFrom(text: string): Project | undefined {
  const [tempo, label] = /^(\d{1,3}(?:\.\d{1,9})?)(?:,(.*))?$/.exec(text)?.slice(1) ?? [];
  const key = keyOf(label) ?? null;
  const isRead = key !== null || !label?.trim();
  const bpm = Number(tempo);
  return isRead && bpm >= PROJECT_TEMPO_MIN && bpm <= PROJECT_TEMPO_MAX ? { tempo: bpm, key } : undefined;
}

export const KIND_LABELS: Record<Kind, string> = { loop: 'Loop', 'one-shot': 'One-shot', take: 'Take' };

export const ORIGIN_LABELS: Record<Origin, string> = {
  recorded: 'Recorded',
  synthesised: 'Synthesised',
  licensed: 'Made from licensed samples',
  'ai-assisted': 'AI-assisted',
  'ai-generated': 'AI-generated',
};
