import { afterAll, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markedIn } from '../../adapters/vendors/audio/marks.js';
import { readTags } from '../../adapters/vendors/audio/tags.js';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { SEED, sizeOf } from '../support/sizes.js';
import { withChunks } from './marks.js';
import { aiffFile, drumLoop, seeded, sine, wavFile } from './synthesis.js';

const ROUNDS = sizeOf('FUZZ_ROUNDS');
const REFUSALS = ['UnsupportedAudioType', 'AudioUnreadable', 'AudioEmpty', 'AudioTooLong', 'AudioTooLarge'];

const studio = new WorkerAudioStudio({ timeLimitMs: 20_000 });
const folder = mkdtempSync(join(tmpdir(), 'offcut-fuzz-'));
const fixtures = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');
afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
});

const originals: Array<[string, () => Buffer]> = [
  ['WAV', () => wavFile([drumLoop(160, 1).subarray(0, 20_000)])],
  ['float WAV', () => wavFile([drumLoop(160, 1).subarray(0, 20_000)], { bitDepth: 32, isFloat: true })],
  ['AIFF', () => aiffFile([drumLoop(160, 1).subarray(0, 20_000)], { bitDepth: 24 })],
  ...[
    'sound.flac',
    'sound.ogg',
    'sound.opus',
    'flac.ogg',
    'ms-adpcm.wav',
    'ima-adpcm.wav',
    'mu-law.wav',
    'a-law.aifc',
    'ima4.aifc',
    'cbr.mp3',
    'vbr.mp3',
    'moov-first.m4a',
    'moov-last.m4a',
    'lossless.m4a',
    'stream.aac',
  ].map((name): [string, () => Buffer] => [name, () => readFileSync(join(fixtures, name))]),
];

it.each(originals)(`survives damage to %s (seed ${SEED})`, async (name, read) => {
  const original = read();
  const random = seeded(Number(SEED));
  const outcomes: Record<string, number> = {};
  const check = async (round: number): Promise<void> => {
    const bytes = damage(original, random);
    const path = join(folder, `${name}-${round}`);
    const previewPath = `${path}.preview`;
    writeFileSync(path, bytes);
    const result = await studio.analyse(path, previewPath);
    const outcome = result.accepted ? 'ok' : result.rejection.code;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (result.accepted) {
      expect(result.audio.waveform.every((value) => value >= 0 && value <= 100)).toBe(true);
      expect(Number.isFinite(result.audio.loudnessLufs ?? 0)).toBe(true);
      expect(result.audio.durationMs).toBeGreaterThan(0);
      expect(readFileSync(previewPath).length).toBeGreaterThan(0);
    } else {
      expect(REFUSALS).toContain(result.rejection.code);
      if (result.rejection.code === 'AudioUnreadable')
        expect(result.rejection.reason).not.toBe('the file could not be processed');
      expect(existsSync(previewPath)).toBe(false);
    }
    rmSync(path);
    rmSync(previewPath, { force: true });
  };
  for (let round = 0; round < ROUNDS; round += 2) await Promise.all([check(round), check(round + 1)]);
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(ROUNDS);
});

it('refuses a packet table that counts to two thousand million, without counting', async () => {
  const bytes = readFileSync(join(fixtures, 'moov-first.m4a'));
  bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('stsc') + 16);
  const path = join(folder, 'packet-table.m4a');
  writeFileSync(path, bytes);
  const result = await studio.analyse(path, `${path}.preview`);
  expect(result).toEqual({
    accepted: false,
    rejection: { code: 'AudioUnreadable', reason: 'the file is damaged' },
  });
});

it(`[ANA-710] survives any content of the chunks with markers (seed ${SEED})`, async () => {
  const random = seeded(Number(SEED));
  const below = (limit: number): number => Math.floor(random() * limit);
  const frames = 8_000;
  const content = (): Buffer => {
    const bytes = Buffer.from(Array.from({ length: below(200) }, () => below(256)));
    // Small numbers are as likely as large ones, so that counts and places are sometimes plausible.
    for (let at = 0; at + 4 <= bytes.length; at += 4)
      if (below(2)) bytes.writeUInt32LE(below(below(2) ? 4 : frames * 2), at);
    return bytes;
  };
  const path = join(folder, 'marks');
  const kinds = new Set<unknown>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const plain = below(2) ? wavFile([sine(220, 0.1, 0.5)]) : aiffFile([sine(220, 0.1, 0.5)]);
    const ids = ['smpl', 'cue ', 'MARK', 'INST', 'acid'];
    writeFileSync(path, withChunks(plain, ...ids.map((id): [string, Buffer] => [id, content()])));
    const { marks = {} } = await readTags(path);
    const { kind, tonic = 0, bpm = 100 } = markedIn(marks, frames, 44_100);
    kinds.add(kind);
    expect([null, 'loop', 'one-shot']).toContain(kind);
    expect(tonic >= 0 && tonic < 12 && bpm >= 60 && bpm <= 200).toBe(true);
  }
  expect(kinds.size).toBeGreaterThan(1);
});

/**
 * Applies one to four of: flipped bytes (half of them in the header), a cut, a gap, a repetition, a huge
 * number.
 */
function damage(original: Buffer, random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(original);
  const at = (length = bytes.length): number => Math.floor(random() * length);
  for (let strokes = 1 + at(4); strokes > 0 && bytes.length > 16; strokes--) {
    const kind = at(6);
    if (kind === 0) for (let n = 1 + at(8); n > 0; n--) bytes[at(Math.min(200, bytes.length))] = at(256);
    if (kind === 1) for (let n = 1 + at(50); n > 0; n--) bytes[at()] = at(256);
    if (kind === 2) bytes = bytes.subarray(0, at());
    if (kind === 3) bytes.fill(0, at(), at());
    if (kind === 4) {
      const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
      bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    }
    if (kind === 5) bytes.writeUInt32BE(at(2) ? 0xffffffff : 0x7fffffff, at(bytes.length - 4));
  }
  return bytes;
}
