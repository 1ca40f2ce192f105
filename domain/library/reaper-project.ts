import { decimal } from '../shared/markup.js';
import { amplitudeOf, barOf, piecesOf, type Piece, type Song, type SongTrack } from './song.js';

/** Returns a project of REAPER: https://github.com/ReaTeam/Doc/blob/master/State%20Chunk%20Definitions */
export function reaperProject(song: Song): string {
  const { numerator, denominator } = barOf(song);
  const lines = [
    '<REAPER_PROJECT 0.1 "7.0"',
    `  TEMPO ${decimal(song.tempo)} ${numerator} ${denominator}`,
    ...song.tracks.flatMap((track) => trackOf(track, song)),
    '>',
  ];
  return `${lines.join('\n')}\n`;
}

function trackOf(track: SongTrack, song: Song): string[] {
  return [
    '  <TRACK',
    `    NAME ${quoted(track.name)}`,
    `    PEAKCOL ${colourOf(track.colour)}`,
    `    VOLPAN ${decimal(amplitudeOf(track))} ${decimal(track.pan)} -1 -1 1`,
    `    MUTESOLO ${track.isMuted ? 1 : 0} 0 0`,
    ...piecesOf(track, song).flatMap((piece) => itemOf(piece, track, 60 / song.tempo)),
    '  >',
  ];
}

/** An item does not loop: each repeat is an item of its own, whose length may differ from that of the file. */
function itemOf({ atBeat, beats }: Piece, track: SongTrack, beatSeconds: number): string[] {
  return [
    '    <ITEM',
    `      POSITION ${decimal(atBeat * beatSeconds)}`,
    `      LENGTH ${decimal(beats * beatSeconds)}`,
    '      LOOP 0',
    `      NAME ${quoted(track.name)}`,
    '      VOLPAN 1 0 1 -1',
    '      SOFFS 0',
    // The rate, 1 to keep the pitch, the shift in semitones, and -1 for the project's own stretching method.
    `      PLAYRATE ${decimal(track.rate)} 1 ${decimal(track.semitones)} -1 0 0.0025`,
    `      <SOURCE ${SOURCES[track.path.split('.').at(-1) ?? ''] ?? 'WAVE'}`,
    `        FILE ${quoted(track.path)}`,
    '      >',
    '    >',
  ];
}

/** REAPER's readers by extension. `WAVE` also reads AIFF. */
const SOURCES: Record<string, string> = {
  mp3: 'MP3',
  flac: 'FLAC',
  ogg: 'VORBIS',
  opus: 'OPUS',
  m4a: 'VIDEO',
  aac: 'VIDEO',
};

/** Returns a colour as REAPER stores it, with blue first and a bit that marks it as set. */
function colourOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return 0x1_00_00_00 + blue * 0x1_00_00 + green * 0x1_00 + red;
}

/** Returns a text in a quotation mark that it does not contain. The format has no escapes. */
function quoted(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, ' ');
  const mark = ['"', "'", '`'].find((each) => !line.includes(each));
  return mark ? `${mark}${line}${mark}` : `\`${line.replaceAll('`', "'")}\``;
}
