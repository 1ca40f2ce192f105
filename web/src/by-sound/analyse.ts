import {
  factsOf,
  OWN_SOUND_MAX_MB,
  OWN_SOUND_MAX_MINUTES,
  type SoundFacts,
} from '../../../application/catalogue/values.js';
import { countOf } from '../ui/format.js';
import type { Heard, ToHear } from './sound-worker.js';

/** A sound of the visitor that this browser analysed. Only its `descriptors` are sent to the server. */
export interface AnalysedSound {
  durationMs: number;
  /** The waveform as 50 bars, each from 0 to 100. */
  peaks: readonly number[];
  descriptors: readonly number[];
  facts: SoundFacts;
}

/** The visitor sees in `refused` why the search cannot use a sound. */
interface Refusal {
  refused: string;
}

/** The sample rate to which the browser decodes a file. Most files have this rate, so they need no resampling. */
const RATE_HZ = 44_100;

/** Decodes a sound in this browser. Computes its waveform, and its descriptors, by which the search compares sounds. */
export async function analyse(file: Blob): Promise<AnalysedSound | Refusal> {
  if (file.size === 0) return { refused: 'It is empty.' };
  if (file.size > OWN_SOUND_MAX_MB * 2 ** 20) return { refused: `It is larger than ${OWN_SOUND_MAX_MB} MB.` };
  const audio = await decoded(file);
  if (!audio) return { refused: 'Your browser cannot read it as sound. WAV, MP3, FLAC and M4A files work.' };
  if (audio.duration > OWN_SOUND_MAX_MINUTES * 60)
    return {
      refused: `It is longer than ${countOf(OWN_SOUND_MAX_MINUTES, 'minute')}. Cut out the sound you mean.`,
    };
  const channels = Array.from({ length: audio.numberOfChannels }, (_, at) =>
    audio.getChannelData(at).slice(),
  );
  const { descriptors, peaks } = await heard({ channels, rateHz: audio.sampleRate });
  if (!descriptors) return { refused: 'It is silent.' };
  return { durationMs: Math.round(audio.duration * 1_000), peaks, descriptors, facts: factsOf(descriptors) };
}

/** Decodes in the page, because workers have no decoder. The browser decodes on another thread than the page. */
async function decoded(file: Blob): Promise<AudioBuffer | undefined> {
  try {
    return await new OfflineAudioContext(1, 1, RATE_HZ).decodeAudioData(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

function heard(sound: ToHear): Promise<Heard> {
  const worker = new Worker(new URL('./sound-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Heard>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Heard>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(
      sound,
      sound.channels.map(({ buffer }) => buffer),
    );
  }).finally(() => worker.terminate());
}
