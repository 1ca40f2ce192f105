/**
 * Measures how much faster than real time one core analyses a file and writes its preview: WAV and MP3 of 60 s and
 * of 5 minutes. Then measures each phase of the analysis separately.
 *
 *   node --import ./test/support/typescript.mjs bench/audio.ts [--labels FILE] [--before CHECKOUT] [--fit]
 *
 * Prints how often suggestions of tempo and key are exactly right, by their confidence: for the demo's sounds, and for
 * those in a file of lines such as `folder/loop.wav,source,120,F# Minor` (empty for none, `?` for unknown). Half of
 * the sources are held back; `--fit` prints weights that fit the others. `--before` compares an older checkout.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { analyse } from '../adapters/vendors/audio/analyse.js';
import { fingerprintOf } from '../adapters/vendors/audio/fingerprint/signs.js';
import { suggestKey } from '../adapters/vendors/audio/key.js';
import { LoudnessMeter } from '../adapters/vendors/audio/loudness.js';
import { MonoTrack } from '../domain/catalogue/sound/mono-track.js';
import { PreviewRecorder } from '../adapters/vendors/audio/preview.js';
import { suggestTempo } from '../adapters/vendors/audio/tempo.js';
import {
  Calibration,
  demoSounds,
  detectorOf,
  fit,
  isHeldBack,
  keyChoice,
  NOW,
  printTable,
  soundsOf,
  tempoChoice,
} from './support/calibration.js';
import { WaveformMeter } from '../adapters/vendors/audio/waveform.js';
import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MS } from '../application/publishing/values.js';
import { RATE, cadence, drumLoop, wavFile } from '../test/audio/synthesis.js';

const { values: chosen } = parseArgs({
  options: {
    labels: { type: 'string' },
    before: { type: 'string' },
    fit: { type: 'boolean', default: false },
  },
});
const GOAL = 20;
const ROUNDS = 5;
const LIMITS = { bytes: AUDIO_LIMIT_BYTES, durationMs: AUDIO_LIMIT_MS };

const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const previewPath = join(folder, 'preview.mp3');
try {
  const ratios = [
    await measureFile('WAV, 16-bit stereo, 60 s', musicFile(60)),
    await measureFile('WAV, 16-bit stereo, 5 min', musicFile(300)),
    await measureFile('MP3, stereo, about 60 s', repeatedMp3(30)),
    await measureFile('MP3, stereo, about 5 min', repeatedMp3(150)),
  ];
  await measurePhases();
  await measureSuggestions();
  const worst = Math.min(...ratios);
  console.log(`\nSlowest: ${worst.toFixed(0)} × real time on one core; the goal is ${GOAL} ×.`);
  process.exitCode = worst >= GOAL ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns seconds of audio per second of processor time, the median of the rounds */
async function measureFile(name: string, path: string): Promise<number> {
  const ratios: number[] = [];
  let seconds = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const result = await analyse(path, previewPath, { limits: LIMITS });
    const { user, system } = process.cpuUsage(before);
    if (!result.accepted) throw new Error(JSON.stringify(result.rejection));
    seconds = result.audio.durationMs / 1000;
    ratios.push(seconds / ((user + system) / 1e6));
  }
  const ratio = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
  const megabytes = (statSync(path).size / 1e6).toFixed(1);
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(0).padStart(4)} s ${megabytes.padStart(6)} MB ${ratio.toFixed(0).padStart(5)} × real time`,
  );
  return ratio;
}

async function measurePhases(): Promise<void> {
  console.log('\nMilliseconds for 60 s of stereo:');
  const left = drumLoop(120, 30);
  const block = [left, left];
  const track = new MonoTrack(RATE);
  time('mix to one rate', () => track.add(left));
  const mono = track.finish();
  time('loudness', () => new LoudnessMeter(RATE, 2).add(block));
  time('waveform', () => new WaveformMeter(RATE).add(left));
  time('tempo', () => suggestTempo(mono, { mayLoop: true }));
  time('key', () => suggestKey(mono));
  time('fingerprint', () => fingerprintOf(mono));
  const preview = new PreviewRecorder(RATE);
  preview.add(block);
  const startedAt = performance.now();
  await preview.write(previewPath, () => undefined);
  report('preview', startedAt);
}

function time(name: string, work: () => unknown): void {
  const startedAt = performance.now();
  work();
  report(name, startedAt);
}

function report(name: string, startedAt: number): void {
  console.log(`  ${name.padEnd(16)} ${(performance.now() - startedAt).toFixed(0).padStart(5)}`);
}

async function measureSuggestions(): Promise<void> {
  const detectors = { before: chosen.before && (await detectorOf(chosen.before)), now: NOW };
  const [tempos, keys] = [[], []] as [ReturnType<typeof tempoChoice>[], ReturnType<typeof keyChoice>[]];
  const tables = new Map<string, Calibration>();
  const counts = { fitted: 0, 'held back': 0 };
  async function* all() {
    yield* demoSounds();
    if (chosen.labels) yield* soundsOf(chosen.labels);
  }
  for await (const sound of all()) {
    const part = isHeldBack(sound.group) ? 'held back' : 'fitted';
    counts[part]++;
    if (chosen.fit) {
      if (part === 'held back') continue;
      tempos.push(tempoChoice(sound));
      keys.push(keyChoice(sound));
      continue;
    }
    for (const [name, detector] of Object.entries(detectors)) {
      if (!detector) continue;
      const title = `${part}, ${name}`;
      const table = tables.get(title) ?? new Calibration(detector);
      tables.set(title, table);
      table.add(sound);
    }
  }
  console.log(
    `\nSuggestions for ${counts.fitted} sounds that the weights fit and ${counts['held back']} held back:`,
  );
  if (chosen.fit) {
    console.log('tempo', JSON.stringify(fit(tempos.filter((choice) => choice !== undefined))));
    console.log('key', JSON.stringify(fit(keys.filter((choice) => choice !== undefined))));
  }
  for (const [title, { tempo, key, tempoMs, keyMs }] of tables) {
    printTable(`\n${title}, tempo (${(tempoMs / 1000).toFixed(1)} s)`, tempo);
    printTable(`${title}, key (${(keyMs / 1000).toFixed(1)} s)`, key);
  }
}

function musicFile(seconds: number): string {
  const drums = drumLoop(120, seconds / 2);
  const chords = cadence(57, 'Minor', 8);
  const mix = drums.map((value, index) => 0.6 * value + (chords[index % chords.length] as number));
  const path = join(folder, `${seconds}.wav`);
  writeFileSync(path, wavFile([mix, drums]));
  return path;
}

/** MP3 frames are independent, so repeating a file makes a longer one. */
function repeatedMp3(times: number): string {
  const fixtures = join(dirname(fileURLToPath(import.meta.url)), '../test/audio/fixtures');
  const path = join(folder, `${times}.mp3`);
  const once = readFileSync(join(fixtures, 'no-tag.mp3'));
  writeFileSync(path, Buffer.concat(Array.from({ length: times }, () => once)));
  return path;
}
