import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalysedAudio } from '../../application/publishing/samples/audio-studio.js';
import { questionsOf, atSpeed } from '../../adapters/vendors/audio/fingerprint/questions.js';
import { secondLook } from '../../adapters/vendors/audio/fingerprint/phases.js';
import { signsOf } from '../../adapters/vendors/audio/fingerprint/signs.js';
import { SoundIndex } from '../../adapters/vendors/audio/fingerprint/sound-index.js';
import { ANALYSIS_RATE_HZ } from '../../domain/catalogue/sound/mono-track.js';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { DemoStudio } from '../../demo/seed/studio.js';
import type { DemoResult } from '../../demo/seed/worker.js';
import { DEMO_PACKS, labelsOf, planOf } from '../../demo/catalogue.js';
import { makeSound } from '../../demo/make.js';
import { RATE } from '../../demo/synth/stereo.js';
import { likenessOf } from '../../domain/publishing/likeness.js';
import { CREATORS } from '../../demo/catalogue/creators.js';
import type { DemoPack, DemoSample } from '../../demo/catalogue/entries.js';
import { enharmonicKeys, GENRES, KEYS, type MusicalKey } from '../../domain/catalogue/vocabulary.js';

const ALL = DEMO_PACKS.flatMap((pack) => pack.samples.map((sample) => ({ pack, sample })));
const named = (name: string): { pack: DemoPack; sample: DemoSample } => {
  const found = ALL.find(({ sample }) => sample.name === name);
  if (!found) throw new Error(`no demo sample ${name}`);
  return found;
};

let folder: string;
let demo: DemoStudio;
let listener: WorkerAudioStudio;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-demo-'));
  demo = new DemoStudio({ folder, threads: 2 });
  listener = new WorkerAudioStudio();
});

afterAll(async () => {
  await demo?.close();
  await listener?.close();
  rmSync(folder, { recursive: true, force: true });
});

const make = (name: string): Promise<DemoResult> => {
  const { pack, sample } = named(name);
  return demo.make(planOf(pack, sample));
};

/** Analyses the file as the product would analyse an upload. */
async function hear(result: DemoResult): Promise<AnalysedAudio> {
  const heard = await listener.analyse(result.wav.path, `${result.wav.path}.preview.mp3`);
  if (!heard.accepted) throw new Error(`${heard.rejection.code}`);
  return heard.audio;
}

/** Returns the left channel of a WAV file, −1…1. */
function leftOf({ wav, audio }: DemoResult): Float32Array {
  const bytes = readFileSync(wav.path).subarray(44);
  const width = (audio.bitDepth as number) / 8;
  const stride = width * audio.channels;
  return Float32Array.from(
    { length: bytes.length / stride },
    (_, i) => bytes.readIntLE(i * stride, width) / 2 ** (8 * width - 1),
  );
}

it('[COPY-52] no hit of the demo is like another one’s by chance', () => {
  const hits = ALL.filter(({ sample }) => sample.recipe.kind === 'hit').map(({ pack, sample }) => {
    const { left, right } = makeSound(planOf(pack, sample)).pcm;
    const mono = left.map((value, at) => (value + (right[at] as number)) / 2);
    const track = atSpeed(mono, RATE / ANALYSIS_RATE_HZ);
    return { name: sample.name, track, signs: signsOf(track) };
  });
  expect(hits.length).toBeGreaterThan(30);
  const index = new SoundIndex();
  index.add(hits.map(({ name, signs }, id) => ({ id, owner: name, signs })));
  const alike = hits.flatMap(({ name, track }) =>
    index.find(questionsOf(track), name).flatMap((first) => {
      const other = hits[first.id] as (typeof hits)[number];
      const phases = secondLook(other.track, track, first).likeness;
      return likenessOf({ ...first, phases }) ? [`${name} and ${other.name}`] : [];
    }),
  );
  expect(alike).toEqual([]);
});

describe('the demo catalogue', () => {
  it('fills the shop: at least 6 creators, 24 published packs in every genre, 200 samples', () => {
    const published = DEMO_PACKS.filter((pack) => !pack.draft);
    expect(new Set(published.map((pack) => pack.creator)).size).toBeGreaterThanOrEqual(6);
    expect(published.length).toBeGreaterThanOrEqual(24);
    expect(new Set(published.map((pack) => pack.genre))).toEqual(new Set(GENRES));
    expect(published.flatMap((pack) => pack.samples).length).toBeGreaterThanOrEqual(200);
  });

  it('names every pack once, every sample once in its pack, and only creators it introduces', () => {
    expect(new Set(DEMO_PACKS.map((pack) => pack.name)).size).toBe(DEMO_PACKS.length);
    const known = new Set([...CREATORS.map((creator) => creator.key), 'offcut-creator']);
    for (const pack of DEMO_PACKS) {
      expect(known).toContain(pack.creator);
      expect(new Set(pack.samples.map((sample) => sample.name)).size).toBe(pack.samples.length);
      for (const sample of pack.samples) {
        expect(sample.creditCost).toBeGreaterThanOrEqual(1);
        expect(sample.creditCost).toBeLessThanOrEqual(5);
        expect(sample.instruments.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('demo sounds', () => {
  it('are the same bytes every time', async () => {
    const [first, second] = await Promise.all([make('Wurli turnaround'), make('Wurli turnaround')]);
    expect(first.wav.sha256).toBe(second.wav.sha256);
    const [zip, same] = await Promise.all([make('Watering day'), make('Watering day')]);
    expect(zip.stems?.sha256).toBe(same.stems?.sha256);
  });

  it.each([
    'Third floor, both hands',
    'Rhodes under the window',
    'Horn stabs, all four',
    'Choir ahh, three voices',
    'Sub slide, long',
    'Harbour crane drone',
    'Stairwell snare',
    'Riser, two bars',
  ])('%s is audible, never clipped, and measured as the product measures uploads', async (name) => {
    const made = await make(name);
    const heard = await hear(made);
    expect(made.audio).toMatchObject({
      format: heard.format,
      channels: heard.channels,
      bitDepth: heard.bitDepth,
      durationMs: heard.durationMs,
      sampleRateHz: heard.sampleRateHz,
    });
    expect(Math.abs((made.audio.loudnessLufs as number) - (heard.loudnessLufs as number))).toBeLessThan(0.2);
    made.audio.waveform.forEach((bar, i) =>
      expect(Math.abs(bar - (heard.waveform[i] as number))).toBeLessThanOrEqual(2),
    );
    expect(heard.loudnessLufs).toBeGreaterThan(-25);
    const peak = leftOf(made).reduce((top, value) => Math.max(top, Math.abs(value)), 0);
    expect(peak).toBeGreaterThan(0.05);
    expect(peak).toBeLessThan(10 ** (-1 / 20));
  });

  it.each([
    'Third floor, both hands',
    'Rhodes under the window',
    'Congas, ripe',
    'Wind under the door',
    'Fingers and flats',
  ])('%s repeats without a seam, after whole bars', async (name) => {
    const { pack, sample } = named(name);
    const left = leftOf(await make(name));
    const beats = (left.length / 44_100) * ((sample.bpm ?? pack.bpm) / 60);
    expect(Math.abs(beats - sample.bars * 4)).toBeLessThan(0.001);
    // The step across the loop's join is no larger than other steps in the loop.
    const join = Math.abs((left[0] as number) - (left.at(-1) as number));
    const steepest = left.reduce(
      (top, value, i) => (i === 0 ? 0 : Math.max(top, Math.abs(value - (left[i - 1] as number)))),
      0,
    );
    expect(join).toBeLessThanOrEqual(Math.max(0.02, steepest));
  });

  it('play at the tempo on their label', async () => {
    const names = [
      'Third floor, both hands',
      'Four on the tiles',
      'Congas, ripe',
      'Loose change break',
      'Sunday kit, dry',
    ];
    const wrong: string[] = [];
    for (const name of names) {
      const { pack, sample } = named(name);
      const { bpm } = labelsOf(pack, sample);
      const heard = (await hear(await make(name))).tempo?.bpm ?? 0;
      // Half and double tempo are the same pulse.
      if (![bpm, bpm * 2, bpm / 2].some((label) => Math.abs(heard - label) <= 1.5))
        wrong.push(`${name}: ${heard}`);
    }
    expect(wrong.length).toBeLessThanOrEqual(1);
  });

  it('play in the key on their label: what is heard has six of its seven notes or more', async () => {
    const names = [
      'Rhodes under the window',
      'Glass chords, chorus',
      'Nylon run, half time',
      'Pad, wind from the west',
      'Wurli, cold',
      'Piano, party end',
      'Keys, do not disturb',
      'Horn stabs, all four',
      'Bell, bad news',
    ];
    for (const name of names) {
      const { pack, sample } = named(name);
      const heard = (await hear(await make(name))).key?.key as MusicalKey;
      const label = notesOf(labelsOf(pack, sample).key as MusicalKey);
      const shared = [...notesOf(heard)].filter((note) => label.has(note)).length;
      expect([name, heard, shared >= 6]).toEqual([name, heard, true]);
    }
  });

  it('bring MIDI notes and stems where the plan says so', async () => {
    const midi = readFileSync((await make('Rhodes under the window')).midi?.path as string);
    expect(midi.subarray(0, 4).toString()).toBe('MThd');
    expect(midi.readUInt32BE(18)).toBe(midi.length - 22);
    expect(midi.filter((byte) => byte === 0x90).length).toBeGreaterThanOrEqual(16);
    const stems = readFileSync((await make('Watering day')).stems?.path as string);
    for (const name of ['1 Piano.wav', '2 Bass.wav', '3 Drums.wav', '4 Nylon.wav'])
      expect(stems.includes(name)).toBe(true);
  });
});

/** Returns the pitch classes of a scale. */
function notesOf(key: MusicalKey): Set<number> {
  const spelled = enharmonicKeys(key).map((label) => label.split(' ')[0] as string);
  const sharps = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
  const root = sharps.findIndex((note) => spelled.includes(note));
  const steps = key.endsWith('Minor') ? [0, 2, 3, 5, 7, 8, 10] : [0, 2, 4, 5, 7, 9, 11];
  expect(KEYS).toContain(key);
  return new Set(steps.map((step) => (root + step) % 12));
}
