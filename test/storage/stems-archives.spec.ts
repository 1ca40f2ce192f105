import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { YauzlStemsArchives } from '../../adapters/vendors/zip/yauzl-stems-archives.js';
import { wavOf } from '../support/wav.js';
import { makeZip } from '../support/zip.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-stems-'));
const sound = wavOf({ seconds: 0.1, hertz: 220 });

async function check(bytes: Buffer): Promise<string | undefined> {
  const path = join(folder, 'stems.zip');
  writeFileSync(path, bytes);
  return (await new YauzlStemsArchives().check(path))?.detail;
}

const renamed = (archive: Buffer, from: string, to: string): Buffer =>
  Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');

it('[STOR-580] takes audio files in folders, and what macOS adds', async () => {
  const archive = await makeZip({
    'Drums/kick é.wav': sound,
    'Drums/hat.flac': Buffer.from('fLaC and so on'),
    '__MACOSX/Drums/._hat.flac': Buffer.from('\0\x05\x16\x07 attributes', 'latin1'),
    'Drums/.DS_Store': Buffer.from('anything'),
  });
  expect(await check(archive)).toBeUndefined();
});

it.each(['../ab.wav', '/x/ab.wav', 'x\\ab.wav.', 'C:/ab.wav', 'x/./b.wav', 'NUL/b.wav', 'a\u0007bcd.wav'])(
  '[STOR-580] refuses the name %j',
  async (name) => {
    const placeholder = `${'p'.repeat(name.length - 4)}.wav`;
    const archive = renamed(await makeZip({ [placeholder]: sound }), placeholder, name);
    expect(await check(archive)).toMatch(/is not safe|invalid|absolute/);
  },
);

it.each([
  [{ 'index.html': Buffer.from('<script>') }, /“index.html” is not an audio file$/],
  [{ 'a.wav': Buffer.from('<script>') }, /“a.wav” is not an audio file, despite its name/],
  [{ '__MACOSX/._evil.wav': Buffer.from('MZ'), 'a.wav': sound }, /despite its name/],
  [{ 'a.wav': sound, 'A.WAV': sound }, /the same name/],
  [{ '.DS_Store': sound }, /no audio file/],
  [Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`${at}.wav`, sound])), /more than 128 files/],
  [{ 'a.wav': Buffer.concat([sound, Buffer.alloc(8e6)]) }, /more than 50 times/],
])('[STOR-580] refuses the archive %#', async (files, reason) => {
  expect(await check(await makeZip(files as Record<string, Buffer>))).toMatch(reason);
});

it('[STOR-580] refuses an archive whose directory lies', async () => {
  const honest = await makeZip({ 'abc.wav': sound });
  const twoNames = Buffer.from(honest);
  twoNames.write('xyz.wav', honest.indexOf('abc.wav'));
  expect(await check(twoNames)).toMatch('has two names');
  const smaller = Buffer.from(honest);
  smaller.writeUInt32LE(sound.length - 1, honest.indexOf('PK\x01\x02', 0, 'latin1') + 24);
  expect(await check(smaller)).toMatch('cannot be read');
  const link = Buffer.from(honest);
  link.writeUInt32LE(0o120777 * 65_536, honest.indexOf('PK\x01\x02', 0, 'latin1') + 38);
  expect(await check(link)).toMatch('is a link');
  expect(await check(honest.subarray(0, honest.length - 9))).toMatch('cannot be read');
});
