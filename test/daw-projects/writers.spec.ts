import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { dawProjectMetadata, dawProjectXml } from '../../domain/library/daw-project.js';
import { reaperProject } from '../../domain/library/reaper-project.js';
import { piecesOf, songBeats, type Song, type SongTrack } from '../../domain/library/song.js';
import { readProjectFile } from '../../web/src/project/files/read-project-file.js';
import { itWith } from '../support/plain-text-accounting.js';
import { makeZip } from '../support/zip.js';
import { allOf, oneOf, placedInDawProject, placedInReaper, readXml } from './readers.js';

const track = (changes: Partial<SongTrack> = {}): SongTrack => ({
  name: 'Loose change break',
  path: 'samples/Loose change break.wav',
  // Four bars at 92 BPM.
  seconds: (16 * 60) / 92,
  channels: 2,
  sampleRateHz: 44_100,
  colour: '#CDA06D',
  gainDb: 0,
  pan: 0,
  isMuted: false,
  isInTempo: true,
  rate: 90 / 92,
  semitones: 0,
  offsetBeats: 0,
  cycleBeats: null,
  ...changes,
});
const song = (...tracks: SongTrack[]): Song => ({
  name: 'Last bus, verse',
  tempo: 90,
  timeSignature: '4/4',
  tracks,
});

const HOSTILE = [
  `He said "it's <b>&amp; more</b>"`,
  'a\u0000\u0007\u001b\ttab\nnew line\r\nend',
  ']]> --> <!DOCTYPE x [<!ENTITY y "z">]> &#0; &y;',
  '\ud800 lone, 𝄞 pair, ‮right to left, ñ, 音, \ufffe\uffff',
  '"quoted" \'and\' `all`',
  'x'.repeat(5_000),
  '',
];
const hostile = song(
  ...HOSTILE.map((name) => track({ name, path: 'samples/Tom & Jerry’s "best".wav', semitones: -3 })),
);
const verse = song(
  track({ cycleBeats: 16, gainDb: -3 }),
  track({
    name: 'Congas',
    path: 'samples/Congas.wav',
    seconds: 4.8,
    rate: 0.9,
    cycleBeats: 8,
    offsetBeats: 8.25,
    pan: 0.28,
    gainDb: -9,
  }),
  track({
    name: 'Vibes',
    path: 'samples/Vibes.flac',
    seconds: 9,
    rate: 90 / 104,
    semitones: 3,
    offsetBeats: 9,
    pan: -0.4,
    isMuted: true,
  }),
  track({
    name: 'Rain',
    path: 'samples/Rain.mp3',
    seconds: 61.5,
    isInTempo: false,
    rate: 1,
    gainDb: -60,
    channels: 1,
    sampleRateHz: 48_000,
    colour: '#2F5BE7',
  }),
);

it('[WORK-771] a song has eight bars, or as many times four as its longest lane needs', () => {
  expect(songBeats(song())).toBe(32);
  expect(songBeats(song(track({ offsetBeats: 16 })))).toBe(32);
  expect(songBeats(song(track({ offsetBeats: 16.25 })))).toBe(48);
  // A recording that ends a moment after the bar.
  expect(songBeats(song(track({ offsetBeats: 16, seconds: 10.5 })))).toBe(32);
  expect(songBeats({ ...song(), timeSignature: '6/8' })).toBe(24);
  expect(songBeats({ ...song(track()), timeSignature: '3/4' })).toBe(24);
  expect(songBeats(song(track({ seconds: 60, cycleBeats: 4, offsetBeats: 128 })))).toBe(144);
});

it('[WORK-771] a lane repeats until the song ends, and a cycle cuts its sound or leaves a gap', () => {
  const pieces = (changes: Partial<SongTrack>) => piecesOf(track(changes), song(track(changes)));
  expect(pieces({ cycleBeats: 12 })).toEqual([
    { atBeat: 0, beats: 12 },
    { atBeat: 12, beats: 12 },
    { atBeat: 24, beats: 8 },
  ]);
  const [first, second, ...more] = pieces({ cycleBeats: 20, offsetBeats: 8 });
  expect(first?.beats).toBeCloseTo(16, 9);
  expect([first?.atBeat, second]).toEqual([8, { atBeat: 28, beats: 4 }]);
  expect(more).toEqual([]);
  const once = pieces({ offsetBeats: 20 });
  expect(once).toHaveLength(1);
  expect(once[0]?.beats).toBeCloseTo(16, 9);
  expect(pieces({ cycleBeats: 0.25, seconds: 0 })).toHaveLength(128);
  const long = song(track({ cycleBeats: 0.25 }), track({ seconds: 86_400, isInTempo: false, rate: 1 }));
  expect(piecesOf(long.tracks[0] as SongTrack, long)).toHaveLength(1_000);
});

it.each([
  ['DAWproject', (of: Song) => placedInDawProject(dawProjectXml(of))],
  ['REAPER', (of: Song) => placedInReaper(reaperProject(of))],
])('[WORK-770, WORK-771] a project for %s places every lane as the workbench plays it', (_, read) => {
  const beat = 60 / 90;
  const { tempo, timeSignature, tracks } = read(verse);
  expect([tempo, timeSignature]).toEqual([90, '4/4']);
  expect(tracks.map(({ name, file }) => [name, file])).toEqual(
    verse.tracks.map(({ name, path }) => [name, path]),
  );
  const facts = tracks.map(({ gain, pan, isMuted, semitones }) => [gain, pan, isMuted, semitones]);
  expect(facts).toEqual([
    [expect.closeTo(0.7079, 4), 0, false, 0],
    [expect.closeTo(0.3548, 4), expect.closeTo(0.28, 9), false, 0],
    [1, expect.closeTo(-0.4, 9), true, 3],
    [expect.closeTo(0.001, 6), 0, false, 0],
  ]);
  expect(tracks.map(({ colour }) => colour)).toEqual([0xcda06d, 0xcda06d, 0xcda06d, 0x2f5be7]);
  // The rain lasts 92.25 beats, so the song has 24 bars.
  const loop = tracks[0]?.items ?? [];
  expect(loop.map(({ at }) => at / beat)).toEqual([0, 16, 32, 48, 64, 80].map((at) => expect.closeTo(at, 6)));
  const congas = tracks[1]?.items ?? [];
  expect(congas).toHaveLength(11);
  expect(congas[0]).toEqual({
    at: expect.closeTo(8.25 * beat, 6),
    length: expect.closeTo(8 * beat, 6),
    rate: expect.closeTo(0.9, 6),
  });
  expect(congas.at(-1)?.length).toBeCloseTo(7.75 * beat, 6);
  expect(tracks[2]?.items).toEqual([
    {
      at: expect.closeTo(6, 6),
      length: expect.closeTo((9 * 104) / 90, 6),
      rate: expect.closeTo(90 / 104, 6),
    },
  ]);
  expect(tracks[3]?.items).toEqual([{ at: 0, length: expect.closeTo(61.5, 6), rate: 1 }]);
});

it('[WORK-772] names of any content stay in their place', () => {
  const expected = HOSTILE.map((name) => name.replaceAll(/\p{Cc}+/gu, ' '));
  const spaced = (text: string) => text.replaceAll(/[\p{Cc} ]+/gu, ' ');
  const xml = Buffer.from(dawProjectXml(hostile)).toString();
  // oxlint-disable-next-line no-control-regex
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  const tracks = allOf(readXml(xml), 'Track');
  expect(tracks.slice(0, -1).map(({ attributes }) => spaced(attributes.name ?? ''))).toEqual(
    HOSTILE.map((name) =>
      spaced(Buffer.from(name.replaceAll(/(?!\s)\p{Cc}|[\ufffe\uffff]/gu, '')).toString()),
    ),
  );
  const { tracks: inReaper } = placedInReaper(reaperProject(hostile));
  expect(inReaper.map(({ name }) => name)).toEqual(
    expected.map((name) => (name.includes('`all`') ? name.replaceAll('`', "'") : name)),
  );
  expect(new Set(inReaper.map(({ file }) => file))).toEqual(new Set(['samples/Tom & Jerry’s "best".wav']));
  expect(oneOf(readXml(dawProjectMetadata({ name: HOSTILE[0] as string }, 'ok')), 'Title').text).toBe(
    HOSTILE[0],
  );
});

it('[WORK-770] the own reader of project files takes both', async () => {
  const zip = await makeZip({
    'project.xml': Buffer.from(dawProjectXml({ ...verse, timeSignature: '7/8' })),
  });
  for (const file of [zip, Buffer.from(reaperProject({ ...verse, timeSignature: '7/8' }))])
    expect(await readProjectFile(new Blob([new Uint8Array(file)]))).toEqual({
      values: { tempo: 90, timeSignature: '7/8' },
    });
});

itWith('xmllint')('[WORK-770] a DAWproject is valid by its published schema', () => {
  const schema = (name: string) => fileURLToPath(new URL(`schema/${name}.xsd`, import.meta.url));
  const check = (xml: string, name: string) =>
    execFileSync('xmllint', ['--noout', '--nonet', '--schema', schema(name), '-'], {
      input: xml,
      stdio: 'pipe',
    });
  for (const each of [verse, hostile, song()]) {
    check(dawProjectXml(each), 'Project');
    for (const { name } of each.tracks) check(dawProjectMetadata({ name }, ''), 'MetaData');
  }
  const without = dawProjectXml(verse).replace(' sampleRate="44100"', '');
  expect(() => check(without, 'Project')).toThrow(/sampleRate/);
});
