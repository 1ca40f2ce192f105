import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFile } from '../../cli/imports/folder.js';
import { sine, wavFile } from './synthesis.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-tags-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));
const size = (bytes: Buffer) => Buffer.of(0, 0, bytes.length >> 8, bytes.length & 0xff);

/** Creates an ID3v2.3 tag with text frames in Latin-1. */
function id3(frames: Record<string, string>): Buffer {
  const body = Buffer.concat(
    Object.entries(frames).map(([id, text]) => {
      const content = Buffer.from(`\0${text}`, 'latin1');
      return Buffer.concat([Buffer.from(id), size(content), Buffer.alloc(2), content]);
    }),
  );
  return Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\0', 'latin1'), Buffer.of(body.length), body]);
}

const box = (name: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), ...content]);
  return Buffer.concat([size(Buffer.alloc(body.length + 4)), body]);
};

/** Appends iTunes atoms to the index, which is the last box. */
function withAtoms(file: Buffer, ...atoms: Buffer[]): Buffer {
  const at = file.indexOf('moov') - 4;
  const handler = box('hdlr', Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9));
  const tags = box('udta', box('meta', Buffer.alloc(4), handler, box('ilst', ...atoms)));
  const index = file
    .subarray(at + 8)
    .toString('latin1')
    .replaceAll('udta', 'free');
  return Buffer.concat([file.subarray(0, at), box('moov', Buffer.from(index, 'latin1'), tags)]);
}

const data = (type: number, value: Buffer) => box('data', Buffer.of(0, 0, 0, type), Buffer.alloc(4), value);
const said = id3({ TIT2: 'Felt Bass', TBPM: '121', TKEY: 'F#m' });

it.each<[string, string, Buffer, object]>([
  [
    'an MP3',
    '_.mp3',
    Buffer.concat([said, fixture('vbr.mp3')]),
    { name: 'Felt Bass', bpm: 121, key: 'F# Minor', instruments: ['Bass'] },
  ],
  [
    'bare AAC',
    '_.aac',
    Buffer.concat([said, fixture('stream.aac')]),
    { name: 'Felt Bass', bpm: 121, key: 'F# Minor' },
  ],
  [
    'a WAV',
    '_.wav',
    wavFile([sine(220, 1, 0.5)], { extraChunk: Buffer.from('INFOINAM\u000a\0\0\0Felt Bass\0', 'latin1') }),
    { name: 'Felt Bass' },
  ],
  [
    'an M4A',
    '_.m4a',
    withAtoms(
      fixture('moov-last.m4a'),
      box('\xa9nam', data(1, Buffer.from('Felt Bass'))),
      box('tmpo', data(21, Buffer.of(0, 121))),
    ),
    { name: 'Felt Bass', bpm: 121 },
  ],
  [
    'an MP3 with a tempo that nobody plays',
    '_.mp3',
    Buffer.concat([id3({ TBPM: '4000', TKEY: '8A' }), fixture('vbr.mp3')]),
    { bpm: undefined, key: undefined },
  ],
  [
    'an MP3 whose name says it too',
    'Keys_90bpm_Cmin.mp3',
    Buffer.concat([said, fixture('vbr.mp3')]),
    { name: 'Keys', bpm: 90, key: 'C Minor' },
  ],
  [
    'a broken file',
    '_.wav',
    Buffer.from('RIFF but nothing of the kind'),
    { name: 'Sample', bpm: undefined, key: undefined },
  ],
])('[MIG-11] reads the tags of %s', async (_, name, bytes, expected) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  expect(await describeFile(path, undefined)).toMatchObject(expected);
});
