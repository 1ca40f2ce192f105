import { createHash } from 'node:crypto';
import { createWriteStream, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort } from 'node:worker_threads';
import { ZipFile } from 'yazl';
import type { AnalysedAudio } from '../../application/publishing/samples/audio-studio.js';
import { makeSound, type MadeSound, type SoundPlan } from '../make.js';
import { middle, RATE } from '../synth/stereo.js';
import { fingerprintOf } from '../../adapters/vendors/audio/fingerprint/signs.js';
import { descriptorsOf } from '../../domain/catalogue/sound/descriptors.js';
import { LoudnessMeter } from '../../adapters/vendors/audio/loudness.js';
import { MonoTrack } from '../../domain/catalogue/sound/mono-track.js';
import { PreviewRecorder } from '../../adapters/vendors/audio/preview.js';
import { WaveformMeter } from '../../adapters/vendors/audio/waveform.js';

/** One sound to make. Its files begin with `basePath`. */
export interface DemoJob {
  plan: SoundPlan;
  basePath: string;
}

export interface MadeFile {
  path: string;
  sizeBytes: number;
  sha256: string;
}

export interface DemoResult {
  wav: MadeFile;
  previewPath: string;
  audio: AnalysedAudio;
  midi?: MadeFile;
  stems?: MadeFile;
}

parentPort?.on('message', (job: DemoJob) => {
  void make(job).then((result) => parentPort?.postMessage(result));
});

/** Makes a sound and measures it in memory, because decoding the encoded file would only cost time. */
async function make({ plan, basePath }: DemoJob): Promise<DemoResult> {
  const sound = makeSound(plan);
  const previewPath = `${basePath}.made.mp3`;
  const audio = await measure(sound, plan, previewPath);
  return {
    wav: write(`${basePath}.wav`, sound.wav),
    previewPath,
    audio,
    midi: sound.midi && write(`${basePath}.mid`, sound.midi),
    stems: sound.stems && (await zip(`${basePath}.zip`, sound.stems)),
  };
}

async function measure(sound: MadeSound, plan: SoundPlan, previewPath: string): Promise<AnalysedAudio> {
  const { left, right } = sound.pcm;
  const mono = middle(sound.pcm);
  const channels = plan.mono ? [mono] : [left, right];
  const loudness = new LoudnessMeter(RATE, channels.length);
  loudness.add(channels);
  const waveform = new WaveformMeter(RATE);
  waveform.add(mono);
  const track = new MonoTrack(RATE);
  track.add(mono);
  const preview = new PreviewRecorder(RATE);
  preview.add(channels);
  await preview.write(previewPath, () => undefined);
  const heard = track.finish();
  return {
    format: 'wav',
    contentType: 'audio/wav',
    sampleRateHz: RATE,
    channels: channels.length,
    bitDepth: plan.bits,
    durationMs: sound.durationMs,
    ...waveform.finish(),
    previewStartMs: 0,
    loudnessLufs: loudness.finish(),
    tempo: null,
    key: null,
    marked: null,
    decays: false,
    flaws: [],
    fingerprint: fingerprintOf(heard),
    descriptors: descriptorsOf(heard),
  };
}

function write(path: string, bytes: Uint8Array): MadeFile {
  writeFileSync(path, bytes);
  return { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function zip(path: string, stems: NonNullable<MadeSound['stems']>): Promise<MadeFile> {
  const archive = new ZipFile();
  const made = { sizeBytes: 0, hash: createHash('sha256') };
  // A fixed date, so that the same stems give the same bytes.
  for (const { name, wav } of stems)
    archive.addBuffer(Buffer.from(wav.buffer), name, { compress: false, mtime: new Date(2026, 0, 1) });
  archive.end();
  archive.outputStream.on('data', (chunk: Buffer) => {
    made.sizeBytes += chunk.length;
    made.hash.update(chunk);
  });
  await pipeline(archive.outputStream, createWriteStream(path));
  return { path, sizeBytes: made.sizeBytes, sha256: made.hash.digest('hex') };
}
