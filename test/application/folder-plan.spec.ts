import { describe, expect, it } from '@jest/globals';
import { type FolderFile, planFolder } from '../../application/publishing/folder/plan.js';

const filesAt = (...paths: string[]): FolderFile[] => paths.map((path) => ({ path, sizeBytes: 1_000 }));
const planOf = (paths: string[], manifest?: string) => planFolder('My Sounds', filesAt(...paths), manifest);
const csv = (...lines: string[]): string => lines.join('\r\n');
const reasonsIn = (paths: string[], ...lines: string[]) => planOf(paths, csv(...lines)).wrongRows;

describe('[UPL-800] a folder becomes packs', () => {
  it('one of each subfolder and one of the sounds at the top, in the order of people', () => {
    const { packs, leftOut } = planOf([
      'Take 10.wav',
      'Take 2.flac',
      'Soul_Drums/Kicks/Boom.WAV',
      'Soul_Drums/Snap.aif',
      'Keys/Felt.mp3',
      '.DS_Store',
      'Keys/._Felt.mp3',
      '__MACOSX/Keys/Felt.mp3',
    ]);
    expect(packs.map(({ title, sounds }) => [title, sounds.map(({ path }) => path)])).toEqual([
      ['Keys', ['Keys/Felt.mp3']],
      ['My Sounds', ['Take 2.flac', 'Take 10.wav']],
      ['Soul Drums', ['Soul_Drums/Kicks/Boom.WAV', 'Soul_Drums/Snap.aif']],
    ]);
    expect(packs[0]).toMatchObject({ genre: null, mood: null, description: '', cover: null });
    expect(leftOut).toEqual([]);
  });

  it('with the MIDI files and stems of the nearest sound of their name', () => {
    const { packs, leftOut } = planOf([
      'Keys/Felt.wav',
      'Keys/Felt.mid',
      'Keys/stems/felt (stems).zip',
      'Keys/Loud/Felt.wav',
      'Keys/Loud/Felt.midi',
      'Bass/Felt.wav',
      'MIDI/Sub.mid',
      'Bass/Sub.wav',
      'Bass/Unknown.mid',
      'MIDI/Felt.mid',
    ]);
    const [bass, keys] = packs;
    expect(bass?.sounds).toMatchObject([
      { path: 'Bass/Felt.wav', midi: null },
      { path: 'Bass/Sub.wav', midi: 'MIDI/Sub.mid' },
    ]);
    expect(keys?.sounds).toMatchObject([
      { path: 'Keys/Felt.wav', midi: 'Keys/Felt.mid', stems: 'Keys/stems/felt (stems).zip' },
      { path: 'Keys/Loud/Felt.wav', midi: 'Keys/Loud/Felt.midi', stems: null },
    ]);
    expect(leftOut).toEqual([
      { path: 'Bass/Unknown.mid', reason: 'No sound has this name.' },
      { path: 'MIDI/Felt.mid', reason: 'Several sounds have this name.' },
    ]);
  });

  it('with the cover in the folder or beside it', () => {
    const covers = (...paths: string[]) => planOf(paths).packs.map(({ cover }) => cover);
    expect(covers('A/x.wav', 'A/back.png', 'A/Cover.JPG')).toEqual(['A/Cover.JPG']);
    expect(covers('A/x.wav', 'A/art/front.webp')).toEqual(['A/art/front.webp']);
    expect(covers('A/x.wav', 'A/any.png')).toEqual(['A/any.png']);
    expect(covers('A/x.wav', 'A/one.png', 'A/two.png', 'a.png')).toEqual(['a.png']);
    expect(covers('A/x.wav', 'A/one.png', 'A/two.png')).toEqual([null]);
    expect(planOf(['A/x.wav', 'A/one.png', 'A/cover.png']).leftOut).toEqual([
      { path: 'A/one.png', reason: 'Another picture is the cover.' },
    ]);
  });

  it('without the files that cannot be uploaded, each with its reason', () => {
    const wav = { path: 'A/Felt.wav', sizeBytes: 9 };
    const plan = planFolder('F', [
      wav,
      { path: 'A/Notes.txt', sizeBytes: 9 },
      { path: 'A/Empty.wav', sizeBytes: 0 },
      { path: 'A/Long.wav', sizeBytes: 201 * 1024 * 1024 },
      { path: 'A/Big.png', sizeBytes: 6 * 1024 * 1024 },
      { path: 'A/Odd.wav', sizeBytes: 9, refusal: 'This is a PNG file named .wav.' },
      { path: 'A/Felt stems/Left.wav', sizeBytes: 9 },
    ]);
    expect(plan.packs).toHaveLength(1);
    expect(plan.packs[0]?.sounds.map(({ path }) => path)).toEqual(['A/Felt.wav']);
    expect(Object.fromEntries(plan.leftOut.map(({ path, reason }) => [path, reason]))).toEqual({
      'A/Notes.txt': 'Not a WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC file.',
      'A/Empty.wav': 'The file is empty.',
      'A/Long.wav': 'The file is too large: at most 200 MB.',
      'A/Big.png': 'The picture is too large: at most 5 MB.',
      'A/Odd.wav': 'This is a PNG file named .wav.',
      'A/Felt stems/Left.wav': 'Stems are uploaded as one file: zip this folder as Felt stems.zip.',
    });
  });

  it('of at most a thousand sounds, and thousands of files at once', () => {
    const sounds = Array.from({ length: 1_002 }, (_, n) => `A/${n}.wav`);
    const plan = planOf([...sounds, ...sounds.map((path) => path.replace('wav', 'mid'))]);
    expect(plan.packs[0]?.sounds).toHaveLength(1_000);
    expect(plan.packs[0]?.sounds.every(({ midi }) => midi !== null)).toBe(true);
    expect(plan.leftOut.find(({ path }) => path === 'A/1001.wav')?.reason).toBe(
      'A pack takes at most 1,000 samples.',
    );
  });
});

describe('[UPL-801] offcut.csv describes packs and sounds', () => {
  const paths = ['Keys/Felt.wav', 'Keys/Loud/Felt.wav', 'Keys/Hit.wav', 'art.png', 'x/notes.mid', 'kit.zip'];

  it('with any separator, and keeps the rest of the folder as it is', () => {
    const { packs, leftOut, wrongRows } = planOf(
      paths,
      `\uFEFF${csv(
        'Pack;File;Title;BPM;Key;Instruments;Price;Kind;Origin;MIDI;Stems;Genre;Mood;Description;Cover',
        '"Felt; Soft";Keys/Felt.wav;"Felt ""One""";92;c#m;Piano, Pad;3;one shot;Recorded;notes.mid;kit.zip;soul;Chill;Two hands.;art.png',
        ';;;;;;;;;;;;;;',
        '"felt; soft";Loud\\felt.WAV;;none;none',
      )}`,
    );
    expect(wrongRows).toEqual([]);
    expect(packs).toMatchObject([
      {
        title: 'Felt; Soft',
        genre: 'Soul',
        mood: 'Chill',
        description: 'Two hands.',
        cover: 'art.png',
        sounds: [
          {
            path: 'Keys/Felt.wav',
            midi: 'x/notes.mid',
            stems: 'kit.zip',
            meta: {
              name: 'Felt "One"',
              bpm: 92,
              key: 'C# Minor',
              instruments: ['Piano', 'Pad'],
              creditCost: 3,
              kind: 'one-shot',
              origin: 'recorded',
            },
          },
          { path: 'Keys/Loud/Felt.wav', meta: { bpm: 0, key: null } },
        ],
      },
      { title: 'Keys', sounds: [{ path: 'Keys/Hit.wav', meta: {} }] },
    ]);
    expect(leftOut).toEqual([]);
  });

  it('and each wrong row is named with its number and all its reasons', () => {
    expect(
      reasonsIn(
        paths,
        'pack,file,title,bpm,key,instruments,price,genre,mood',
        'A,Keys/Hit.wav,Hit,fast,H,Kazoo,9,Polka,Odd',
        'A,Gone.wav',
        'A,Felt.wav',
        'A,notes.mid',
        '',
        'A,Keys/Felt.wav,,,,,,Soul',
        'B,Keys/Felt.wav',
        'A,Keys/Loud/Felt.wav,,,,,,Trap',
        ',,Nothing',
        'A,Keys/Hit.wav,,,,,,,,more',
        'A,Keys/Hit.wav,"two\nlines"',
      ),
    ).toEqual([
      {
        row: 2,
        reason:
          'bpm: A number up to 400, or nothing; key: A key such as F# Minor, or nothing; instruments: No such instrument: Kazoo; price: 1 to 5 credits; genre: no such genre: Polka; mood: no such mood: Odd',
      },
      { row: 3, reason: 'no such file: Gone.wav' },
      { row: 4, reason: 'several files are called Felt.wav, so write their folders too' },
      { row: 5, reason: 'notes.mid is not a sound' },
      { row: 8, reason: 'row 7 describes the same file' },
      { row: 9, reason: 'row 7 gives the pack another genre' },
      { row: 10, reason: 'neither file nor pack is named' },
      { row: 11, reason: 'more cells than columns' },
      { row: 12, reason: 'title: must be one line' },
    ]);
  });

  it('and a wrong header is row 1', () => {
    expect(reasonsIn(paths, 'file,colour')[0]?.reason).toMatch(
      /^no such column: colour\. The columns are pack, file/,
    );
    expect(reasonsIn(paths, 'file,path')).toEqual([{ row: 1, reason: 'the column file is there twice' }]);
    expect(reasonsIn(paths, 'title')).toEqual([{ row: 1, reason: 'a column file or pack is missing' }]);
    expect(reasonsIn(paths, 'pack,genre', 'Ghost,Soul')).toEqual([
      { row: 2, reason: 'the pack Ghost has no sounds' },
    ]);
  });
});
