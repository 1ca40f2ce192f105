import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFile } from '../../cli/imports/folder.js';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { aiffMarks, cue, smpl, withChunks } from './marks.js';
import { aiffFile, cadence, drumLoop, rustle, sine, wavFile } from './synthesis.js';

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

function acid(flags: number, bpm: number): Buffer {
  const chunk = Buffer.alloc(24);
  chunk.writeUInt32LE(flags, 0);
  chunk.writeFloatLE(bpm, 20);
  return chunk;
}

/** Puts Vorbis comments into a FLAC file, after its first block. */
function withComments(flac: Buffer, ...comments: string[]): Buffer {
  const length = (value: number) => Buffer.of(value, 0, 0, 0);
  const texts = comments.flatMap((text) => [length(text.length), Buffer.from(text)]);
  const body = Buffer.concat([length(0), length(comments.length), ...texts]);
  const isLast = (flac[4] as number) & 0x80;
  const first = Buffer.from(flac.subarray(0, 42));
  first[4] = (first[4] as number) & 0x7f;
  return Buffer.concat([first, Buffer.of(isLast | 4, 0, 0, body.length), body, flac.subarray(42)]);
}

describe('uploads', () => {
  const studio = new WorkerAudioStudio();
  afterAll(() => studio.close());
  const wav = wavFile([sine(220, 1, 0.5)]);
  const xml = '<BWFXML><BPM>121</BPM><KEY>F#m</KEY></BWFXML>';
  const found = { tempo: { bpm: 121, confidence: 0.95, from: 'tags' } };
  const both = { ...found, key: { key: 'F# Minor', confidence: 0.95, from: 'tags' } };

  it.each<[string, Buffer, object]>([
    ['ID3 in AIFF', withChunks(aiffFile([sine(220, 1, 0.5)]), ['ID3 ', said]), both],
    ['ID3 in WAV', withChunks(wav, ['id3 ', said]), both],
    ['Vorbis comments', withComments(fixture('sound.flac'), 'BPM=121', 'KEY=F#m'), both],
    ['an acid chunk', withChunks(wav, ['acid', acid(0, 121)]), found],
    ['an acid chunk of a one-shot', withChunks(wav, ['acid', acid(1, 121)]), { tempo: null }],
    ['bext', withChunks(wav, ['bext', Buffer.from('Felt keys, 121 BPM'.padEnd(602, '\0'))]), found],
    ['iXML', withChunks(wav, ['iXML', Buffer.from(xml)]), both],
    [
      'chunks without end',
      withChunks(wav, ...Array.from({ length: 400 }, () => ['junk', Buffer.alloc(0)] as [string, Buffer]), [
        'iXML',
        Buffer.from(xml),
      ]),
      { tempo: null },
    ],
    [
      'a chunk that claims 4 GB',
      Buffer.concat([wav, Buffer.from('iXML\xff\xff\xff\xff<BPM>121', 'latin1')]),
      { tempo: null },
    ],
    ['an impossible tempo', withChunks(wav, ['acid', acid(0, 4_000)]), { tempo: null }],
  ])('[ANA-703] reads tempo and key from %s', async (_, bytes, expected) => {
    const path = join(folder, 'upload');
    writeFileSync(path, bytes);
    const heard = await studio.analyse(path, `${path}.mp3`);
    expect(heard).toMatchObject({ accepted: true, audio: expected });
  });

  const chord = cadence(57, 'Minor', 4);
  const whole = chord.length - 1;
  const beats = (...frames: number[]) => ['cue ', cue(...frames)] as [string, Buffer];
  const even = Array.from({ length: 8 }, (_, beat) => beat * 22_050);
  const steady = wavFile([sine(220, 4, 0.5)]);

  it.each<[string, Buffer, object]>([
    [
      'loop points around the whole sound',
      withChunks(steady, ['smpl', smpl(60, [0, 176_399])]),
      { marked: 'loop' },
    ],
    ['loop points within it', withChunks(steady, ['smpl', smpl(60, [40_000, 80_000])]), { marked: null }],
    ['loop points after its end', withChunks(steady, ['smpl', smpl(60, [0, 4_000_000])]), { marked: null }],
    [
      'more loops than the chunk holds',
      withChunks(steady, ['smpl', smpl(60).fill(255, 28, 32)]),
      { marked: null },
    ],
    [
      'markers of AIFF',
      withChunks(aiffFile([sine(220, 4, 0.5)]), ...aiffMarks(60, 0, 176_400)),
      { marked: 'loop' },
    ],
    [
      'a marker that is missing',
      withChunks(aiffFile([sine(220, 4, 0.5)]), ...aiffMarks(60, 0)),
      { marked: null },
    ],
    ['an acid chunk of a one-shot', withChunks(steady, ['acid', acid(1, 0)]), { marked: 'one-shot' }],
  ])('[ANA-710] finds the kind in %s', async (_, bytes, expected) => {
    const path = join(folder, 'marked');
    writeFileSync(path, bytes);
    expect(await studio.analyse(path, `${path}.mp3`)).toMatchObject({ accepted: true, audio: expected });
  });

  it.each<[string, Buffer, object]>([
    [
      'the root note',
      withChunks(wavFile([chord]), ['smpl', smpl(57, [0, whole])]),
      { key: { key: 'A Minor', from: 'markers' } },
    ],
    ['the default root note', withChunks(wavFile([chord]), ['smpl', smpl(60)]), { key: { key: 'A Minor' } }],
    ['the root note of noise', withChunks(wavFile([rustle(2, 1)]), ['smpl', smpl(57)]), { key: null }],
    [
      'the root note of AIFF',
      withChunks(aiffFile([chord]), ...aiffMarks(45, 0, whole)),
      { key: { key: 'A Minor', from: 'markers' } },
    ],
    ['even markers', withChunks(steady, beats(...even)), { tempo: { bpm: 120, from: 'markers' } }],
    [
      'markers at hits',
      withChunks(steady, beats(0, 20_000, 44_100, 66_150, 90_000, 150_000)),
      { tempo: null },
    ],
    ['markers of a part', withChunks(steady, beats(...even.slice(0, 4))), { tempo: null }],
    [
      'an acid chunk before markers',
      withChunks(steady, ['acid', acid(0, 90)], beats(...even)),
      { tempo: { bpm: 90 } },
    ],
  ])('[ANA-711] takes key and tempo from %s', async (_, bytes, expected) => {
    const path = join(folder, 'marked');
    writeFileSync(path, bytes);
    const heard = await studio.analyse(path, `${path}.mp3`);
    expect(heard).toMatchObject({ accepted: true, audio: expected });
    const { key } = (heard as { audio: { key: object | null } }).audio;
    if (_.startsWith('the default')) expect(key).not.toHaveProperty('from');
  });

  it.each<[string, Float32Array, boolean]>([
    ['a struck note', sine(220, 2, 0.8).map((value, frame) => value * Math.exp(-frame / 6_000)), true],
    ['a steady note', sine(220, 2, 0.8), false],
    ['two hits', drumLoop(120, 1), false],
    ['a note that swells', sine(220, 2, 0.8).map((value, frame) => (value * frame) / 88_200), false],
  ])('[ANA-712] hears whether it dies away: %s', async (_, sound, decays) => {
    const path = join(folder, 'decay');
    writeFileSync(path, wavFile([sound]));
    expect(await studio.analyse(path, `${path}.mp3`)).toMatchObject({ accepted: true, audio: { decays } });
  });
});
