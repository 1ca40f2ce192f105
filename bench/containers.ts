/**
 * Compares our readers of WAV, MP3 and ADTS with mediabunny's on the same files: the duration that each finds, and
 * its cost. The result is the reason for our own readers; mediabunny reads M4A and tags.
 *
 *   npm run bench -- bench/containers.ts
 *   npm run bench -- bench/containers.ts --folder FOLDER   counts which audio files below a folder are accepted
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADTS, FilePathSource, Input, MP3, MP4, WAVE } from 'mediabunny';
import { ByteWindow } from '../adapters/vendors/audio/byte-window.js';
import { openAudio, withAudio } from '../adapters/vendors/audio/open-audio.js';
import { AudioRefused } from '../adapters/vendors/audio/pcm.js';
import { drumLoop, seeded, wavFile } from '../test/audio/synthesis.js';

const LIMITS = { bytes: Infinity, durationMs: Infinity };
const fixture = (name: string) => readFileSync(new URL(`../test/audio/fixtures/${name}`, import.meta.url));
const times = (bytes: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => bytes));
const noise = (length: number) => Buffer.from(Array.from({ length }, seeded(7)).map((value) => value * 256));
const damaged = (bytes: Buffer) =>
  Buffer.concat([bytes.subarray(0, 6_000), noise(900), bytes.subarray(6_900)]);
const loop = drumLoop(120, 1);
const wav = wavFile([loop, loop]);

/** With the right result: milliseconds, or the refusal. The noise damages at most six frames of MP3, seven of AAC. */
const CASES: Array<[string, string, Buffer]> = [
  ['WAV', '2000', wav],
  ['WAV, float, extensible', '2000', wavFile([loop], { bitDepth: 32, isFloat: true, isExtensible: true })],
  ['WAV with a short LIST', '2000', wavFile([loop], { extraChunk: Buffer.from('abc') })],
  ['WAV, cut in the middle', 'refused', wav.subarray(0, wav.length / 2)],
  ['WAV that claims 40 MB', 'refused', wavFile([loop], { claimedDataBytes: 40_000_000 })],
  ['MP3, variable rate', '2000', fixture('vbr.mp3')],
  ['MP3, constant rate', '2000', fixture('cbr.mp3')],
  ['MP3 without its first frame', '2064', fixture('no-tag.mp3')],
  ['MP3, cut in the middle', 'refused', fixture('vbr.mp3').subarray(0, 9_000)],
  [
    'MP3, a cover after it',
    '61920',
    Buffer.concat([times(fixture('no-tag.mp3'), 30), Buffer.from('APETAGEX'), noise(400_000)]),
  ],
  ['MP3, damaged', '61776 or more', damaged(times(fixture('no-tag.mp3'), 30))],
  ['ADTS', '2043', fixture('stream.aac')],
  ['ADTS, damaged', '61139 or more', damaged(times(fixture('stream.aac'), 30))],
];
const LONG: Array<[string, () => Buffer]> = [
  ['MP3, 15 min', () => times(fixture('no-tag.mp3'), 436)],
  ['MP3, 200 MiB of it', () => times(fixture('no-tag.mp3'), 12_700)],
  ['ADTS, 15 min', () => times(fixture('stream.aac'), 440)],
];

async function ours(path: string): Promise<number> {
  const bytes = new ByteWindow(path);
  try {
    const { expectedFrames, sampleRateHz } = await openAudio(bytes, LIMITS);
    return expectedFrames / sampleRateHz;
  } finally {
    bytes.close();
  }
}

async function theirs(path: string): Promise<number> {
  const input = new Input({ source: new FilePathSource(path), formats: [WAVE, MP4, ADTS, MP3] });
  try {
    return (await (await input.getPrimaryAudioTrack())?.computeDuration()) ?? NaN;
  } finally {
    input.dispose();
  }
}

const READERS: Record<string, (path: string) => Promise<number>> = { ours, theirs };
const inMs = (read: Promise<number>): Promise<string> =>
  read.then(
    (seconds) => (seconds * 1000).toFixed(0),
    () => 'refused',
  );

/** Runs in a separate process to measure its memory. */
function cost(reader: string, path: string): string {
  const self = fileURLToPath(import.meta.url);
  return execFileSync(process.execPath, [...process.execArgv, self, reader, path], {
    encoding: 'utf8',
  }).trim();
}

/** Decodes every audio file below a folder, and prints how many of each kind are accepted, and why others are not. */
async function acceptedIn(folder: string): Promise<void> {
  const kinds = new Map<string, [accepted: number, all: number]>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const kind = /\.(wav|flac|aiff?|aifc|og[ag]|opus|mp3|m4a|aac)$/i.exec(entry.name)?.[1]?.toLowerCase();
    if (!kind || !entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [accepted, all] = kinds.get(kind) ?? [0, 0];
    let isAccepted = true;
    try {
      await withAudio(path, LIMITS, async (source) => {
        for await (const _ of source.blocks());
      });
    } catch (error) {
      if (!(error instanceof AudioRefused)) throw error;
      isAccepted = false;
      console.log(path, JSON.stringify(error.rejection));
    }
    kinds.set(kind, [accepted + Number(isAccepted), all + 1]);
  }
  for (const [kind, [accepted, all]] of kinds) console.log(`${kind}: ${accepted} of ${all}`);
  const [accepted, all] = [0, 1].map((at) =>
    [...kinds.values()].reduce((sum, counts) => sum + (counts[at] as number), 0),
  ) as [number, number];
  console.log(`all: ${accepted} of ${all}, ${((100 * accepted) / all).toFixed(1)} %`);
}

const [, , reader, longPath] = process.argv;
if (reader === '--folder' && longPath) await acceptedIn(longPath);
else if (reader && longPath) {
  const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss];
  await READERS[reader]?.(longPath);
  const { user, system } = process.cpuUsage(cpu);
  const grown = process.memoryUsage().rss - memory;
  console.log(`${((user + system) / 1000).toFixed(0)} ms, ${(grown / 1e6).toFixed(0)} MB`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
  const path = join(folder, 'file');
  const line = (...cells: string[]) => console.log(cells.map((cell) => cell.padEnd(28)).join(''));
  try {
    line('duration', 'right', 'ours', 'mediabunny');
    for (const [name, right, bytes] of CASES) {
      writeFileSync(path, bytes);
      line(name, right, await inMs(ours(path)), await inMs(theirs(path)));
    }
    line('\nprocessor time, memory', '', 'ours', 'mediabunny');
    for (const [name, make] of LONG) {
      writeFileSync(path, make());
      line(name, '', cost('ours', path), cost('theirs', path));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
