import type { Outcome } from '../../../domain/shared/decision.js';
import type { AnalysedAudio, AudioRejection } from '../../../application/publishing/samples/audio-studio.js';
import { descriptorsOf } from '../../../domain/catalogue/sound/descriptors.js';
import { fingerprintOf } from './fingerprint/signs.js';
import { FlawMeter } from './flaws.js';
import { diesAway } from './decay.js';
import { suggestKey, suggestKeyOn } from './key.js';
import { PREVIEW_LIMIT_SECONDS } from '../../../application/catalogue/values.js';
import { keyOf } from '../../../domain/catalogue/vocabulary.js';
import { LoudnessMeter } from './loudness.js';
import { markedIn } from './marks.js';
import { ANALYSIS_RATE_HZ, mixToMono, MonoTrack } from '../../../domain/catalogue/sound/mono-track.js';
import { withAudio } from './open-audio.js';
import {
  AudioRefused,
  type AudioLimits,
  type PcmSource,
  assertDuration,
  orRejected,
  unreadable,
} from './pcm.js';
import { PreviewRecorder, Skipping } from './preview.js';
import { type AudioTags, readTags } from './tags.js';
import { suggestTempo } from './tempo.js';
import { WaveformMeter } from './waveform.js';

export type AnalysisResult = Outcome<{ audio: AnalysedAudio }, AudioRejection>;
export type OnProgress = (phase: 'decoding' | 'analysing' | 'encoding', share: number) => void;

const PREVIEW_MS = PREVIEW_LIMIT_SECONDS * 1_000;
const WHOLE_SHARE = 0.98;
/** Programs sometimes write a tempo that was never set, so tags are not always right. */
const TAGS_CONFIDENCE = 0.95;
const MARKED = { confidence: 0.95, from: 'markers' as const };
const TAGGED_BPM = [20, 400] as const;

/** Decodes a file once to measure it and to write its preview. Runs in a worker thread. */
export async function analyse(
  path: string,
  previewPath: string,
  options: {
    limits: AudioLimits;
    usualBpm?: number | undefined;
    previewStartMs?: number | undefined;
    onProgress?: OnProgress;
  },
): Promise<AnalysisResult> {
  const { onProgress = () => undefined } = options;
  return orRejected(() =>
    withAudio<AnalysisResult>(path, options.limits, async (source) => ({
      accepted: true,
      audio: await measure(source, { path, previewPath }, { ...options, onProgress }),
    })),
  );
}

async function measure(
  source: PcmSource,
  { path, previewPath }: { path: string; previewPath: string },
  {
    limits,
    usualBpm,
    previewStartMs: wantedStartMs = 0,
    onProgress,
  }: {
    limits: AudioLimits;
    usualBpm?: number | undefined;
    previewStartMs?: number | undefined;
    onProgress: OnProgress;
  },
): Promise<AnalysedAudio> {
  const { sampleRateHz, channels } = source;
  const loudness = new LoudnessMeter(sampleRateHz, channels);
  const waveform = new WaveformMeter(sampleRateHz);
  const track = new MonoTrack(sampleRateHz);
  const flaws = new FlawMeter(channels);
  const lastStartMs = Math.floor((source.expectedFrames / sampleRateHz) * 1_000) - PREVIEW_MS;
  const previewStartMs = Math.max(0, Math.min(wantedStartMs, lastStartMs));
  const skipping = new Skipping(Math.round((previewStartMs / 1_000) * sampleRateHz));
  const preview = new PreviewRecorder(sampleRateHz, previewStartMs > 0);
  let frames = 0;
  let isSilent = true;
  onProgress('decoding', 0);
  for await (const block of source.blocks()) {
    frames += block[0]?.length ?? 0;
    isSilent &&= block.every((channel) => channel.every((value) => value === 0));
    loudness.add(block);
    flaws.add(block);
    const mono = mixToMono(block);
    track.add(mono);
    const part = skipping.rest(block);
    if (part) {
      waveform.add(part === block ? mono : mixToMono(part));
      preview.add(part);
    }
    onProgress('decoding', Math.min(1, frames / source.expectedFrames));
  }
  assertDuration(frames, sampleRateHz, limits);
  // A container may end early without an error, and decoders skip damaged data, so the decoded length is compared
  // with the length that the file claims.
  if (frames < source.expectedFrames * WHOLE_SHARE) throw unreadable('parts of the audio are missing');
  // A file with only digital silence comes from a failed export. No creator sells that on purpose.
  if (isSilent) throw new AudioRefused({ code: 'AudioEmpty' });
  onProgress('analysing', 0);
  const mono = track.finish();
  const isWhole = Math.abs(mono.length / ANALYSIS_RATE_HZ - frames / sampleRateHz) < 0.01;
  const mayLoop = isWhole && source.hasExactLength;
  const tags = await readTags(path);
  const stated = statedIn(tags);
  const marked = markedIn(tags.marks ?? {}, frames, sampleRateHz);
  const beats = marked.bpm && { bpm: marked.bpm, ...MARKED };
  const tempo = stated.tempo ?? (beats || suggestTempo(mono, { mayLoop, usualBpm }));
  const rooted = marked.tonic === undefined ? null : suggestKeyOn(marked.tonic, mono);
  const key = stated.key ?? (rooted ? { ...rooted, from: MARKED.from } : suggestKey(mono));
  onProgress('encoding', 0);
  await preview.write(previewPath, (share) => onProgress('encoding', share));
  return {
    format: source.format,
    contentType: source.contentType,
    sampleRateHz,
    channels,
    ...(source.bitDepth === undefined ? {} : { bitDepth: source.bitDepth }),
    durationMs: Math.max(1, Math.round((frames / sampleRateHz) * 1000)),
    ...waveform.finish(),
    previewStartMs,
    loudnessLufs: loudness.finish(),
    tempo,
    key,
    marked: marked.kind,
    decays: isWhole && diesAway(mono),
    flaws: flaws.finish(),
    fingerprint: fingerprintOf(mono),
    descriptors: descriptorsOf(mono),
  };
}

/** Returns what the tags of a file say, as suggestions. */
function statedIn(tags: AudioTags): Partial<Pick<AnalysedAudio, 'tempo' | 'key'>> {
  const said = { confidence: TAGS_CONFIDENCE, from: 'tags' as const };
  const bpm = Math.round(tags.bpm ?? 0);
  const key = keyOf(tags.key);
  return {
    ...(bpm >= TAGGED_BPM[0] && bpm <= TAGGED_BPM[1] && { tempo: { bpm, ...said } }),
    ...(key && { key: { key, ...said } }),
  };
}
