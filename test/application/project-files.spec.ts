import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { readProjectFile } from '../../web/src/project/files/read-project-file.js';
import { makeZip } from '../support/zip.js';

const read = (...parts: (string | Uint8Array<ArrayBuffer>)[]) => readProjectFile(new Blob(parts));
const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

const liveSet = (
  more = '',
  { tempo = '92.5', inKey = 'true' } = {},
) => `<?xml version="1.0" encoding="UTF-8"?>
<Ableton MajorVersion="5" MinorVersion="12.0_12120" Creator="Ableton Live 12.1.5">
  <LiveSet>
    <Tracks><MidiTrack><MidiClip>
      <IsInKey Value="true" />
      <ScaleInformation><Root Value="4" /><Name Value="0" /></ScaleInformation>
      ${more}
    </MidiClip></MidiTrack></Tracks>
    <MainTrack><DeviceChain><Mixer>
      <Tempo><LomId Value="0" /><Manual Value="${tempo}" /></Tempo>
      <TimeSignature>
        <LomId Value="0" />
        <Manual Value="302" />
      </TimeSignature>
    </Mixer></DeviceChain></MainTrack>
    <Scenes><Scene><Tempo Value="120" /></Scene></Scenes>
    <ScaleInformation>
      <Root Value="9" />
      <Name Value="1" />
    </ScaleInformation>
    <InKey Value="${inKey}" />
  </LiveSet>
</Ableton>`;
const live = (text: string) => read(bytesOf(gzipSync(text)));

const DAW = `<?xml version="1.0" encoding="UTF-8"?>
<Project version="1.0"><Application name="Bitwig Studio" version="5.2"/>
  <Transport>
    <Tempo max="666.0" min="20.0" unit="bpm" value="149.0" id="id0" name="Tempo"/>
    <TimeSignature denominator="4" numerator="3" id="id1"/>
  </Transport>
</Project>`;
const zip = async (files: Record<string, string | Buffer>) =>
  read(
    bytesOf(
      await makeZip(
        Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])),
      ),
    ),
  );

/** @param facts events with their delta times and a status */
const midi = (facts: number[]) => {
  const track = [...facts, 0, 0xff, 0x2f, 0];
  const header = [0x4d, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4d, 0x54, 0x72, 0x6b];
  return read(new Uint8Array([...header, 0, 0, 0, track.length, ...track]));
};

describe('a project file', () => {
  it('[PROJ-706] of Live has tempo and signature, and the scale of the set if it is on', async () => {
    const values = { tempo: 92.5, timeSignature: '6/8', key: 'A Minor' };
    expect(await live(liveSet())).toEqual({ values });
    // Longer than one piece of the stream.
    expect(await live(liveSet('<Note Pitch="60" />'.repeat(40_000)))).toEqual({ values });
    expect(await live(liveSet('', { inKey: 'false' }))).toEqual({
      values: { tempo: 92.5, timeSignature: '6/8' },
    });
  });

  it('[PROJ-706] of DAWproject, REAPER and MIDI has tempo and signature, and MIDI a key', async () => {
    expect(await zip({ 'metadata.xml': '<MetaData/>', 'project.xml': DAW })).toEqual({
      values: { tempo: 149, timeSignature: '3/4' },
    });
    expect(await read('<REAPER_PROJECT 0.1 "7.16/linux"\n  RIPPLE 0\n  TEMPO 92.5 7 8\n>')).toEqual({
      values: { tempo: 92.5, timeSignature: '7/8' },
    });
    const tempo = [0, 0xff, 0x51, 3, 0x0a, 0x2c, 0x2b];
    const note = [0, 0x90, 60, 100, 10, 60, 0];
    const facts = [...note, ...tempo, 0, 0xff, 0x58, 4, 6, 3, 36, 8, 0, 0xff, 0x59, 2, 0xfd, 1];
    expect(await midi(facts)).toEqual({
      values: { tempo: expect.closeTo(90, 2), timeSignature: '6/8', key: 'C Minor' },
    });
    for (const [sharps, minor, key] of [
      [0, 0, 'C Major'],
      [0, 1, 'A Minor'],
      [6, 0, 'F# Major'],
      [0xf9, 1, 'Ab Minor'],
      [7, 1, 'A# Minor'],
    ] as const)
      expect(await midi([0, 0xff, 0x59, 2, sharps, minor])).toEqual({ values: { key } });
  });

  it('[PROJ-707] is refused with a reason if it expands too far, defines entities, or is too large', async () => {
    const bomb = Buffer.alloc(257 * 2 ** 20, ' ');
    const tooLong = { problem: 'The file expands to more than 256 MB.' };
    expect(await read(bytesOf(gzipSync(bomb)))).toEqual(tooLong);
    expect(await zip({ 'project.xml': bomb })).toEqual(tooLong);
    const entities = '<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "bbbb">]>';
    const defined = { problem: 'The file defines XML entities, which are not read.' };
    expect(await live(entities + liveSet())).toEqual(defined);
    expect(await zip({ 'project.xml': entities + DAW })).toEqual(defined);
    const large = Object.defineProperty(new Blob(['MThd']), 'size', { value: 500e6 });
    expect(await readProjectFile(large)).toEqual({ problem: 'The file is larger than 64 MB.' });
  });

  it('[PROJ-707] is refused with a reason if it is damaged or of another kind', async () => {
    const set = gzipSync(liveSet());
    const damaged = { problem: 'The file is damaged.' };
    expect(await read(bytesOf(set.subarray(0, 200)))).toEqual(damaged);
    expect(await read('PK\u0003\u0004 and no more')).toEqual({ problem: 'The ZIP file is damaged.' });
    expect(await zip({ 'other.xml': DAW })).toEqual({ problem: 'The ZIP file contains no DAWproject.' });
    expect(await live('<Preset/>')).toEqual({ problem: 'This is not an Ableton Live set.' });
    expect(await read('<html>')).toEqual({
      problem: 'This is not an Ableton, REAPER, DAWproject or MIDI file.',
    });
    const nothing = { problem: 'The file has no tempo, key or time signature.' };
    expect(await read('<REAPER_PROJECT 0.1>')).toEqual(nothing);
    expect(await midi([])).toEqual(nothing);
    // Truncated facts, and events of unknown length.
    const facts = [0, 0xff, 0x51, 3, 0x0a, 0x2c, 0x2b, 0, 0xf0];
    for (let length = 0; length < facts.length; length++)
      expect(await midi(facts.slice(0, length))).not.toEqual(damaged);
  });
});
