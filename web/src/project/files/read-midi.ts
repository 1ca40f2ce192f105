import { NOTES_BY_FIFTHS } from './keys.js';
import type { ProjectValues } from './project-values.js';

const TEMPO = 0x51;
const TIME_SIGNATURE = 0x58;
const KEY_SIGNATURE = 0x59;

/**
 * Reads the first tempo, time signature and key signature of a MIDI file. For a damaged file, returns the values
 * that can still be read.
 */
export function readMidi(bytes: Uint8Array): ProjectValues {
  const values: ProjectValues = {};
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4);
    const end = Math.min(bytes.length, at + 8 + length);
    if (view.getUint32(at) === 0x4d_54_72_6b) readTrack(bytes.subarray(at + 8, end), values);
    at = end;
  }
  return values;
}

function readTrack(track: Uint8Array, values: ProjectValues): void {
  let at = 0;
  let status = 0;
  /** Reads a number of variable length: 7 bits in each byte, at most 4 bytes. */
  const number = (): number => {
    let value = 0;
    for (let byte = 0; byte < 4 && at < track.length; byte++) {
      const part = track[at++] as number;
      value = (value << 7) | (part & 0x7f);
      if (part < 0x80) break;
    }
    return value;
  };
  while (at < track.length) {
    number();
    const first = track[at] ?? 0;
    // An event without a status byte repeats the status of the event before it.
    if (first >= 0x80) {
      status = first;
      at++;
    }
    if (status === 0xff) {
      const kind = track[at++] ?? 0;
      const length = number();
      readFact(kind, track.subarray(at, at + length), values);
      at += length;
    } else if (status === 0xf0 || status === 0xf7) at += number();
    else if (status < 0x80) return;
    else at += status >= 0xc0 && status < 0xe0 ? 1 : 2;
  }
}

function readFact(kind: number, data: Uint8Array, values: ProjectValues): void {
  const [a = 0, b = 0, c = 0] = data;
  if (kind === TEMPO && data.length >= 3) {
    const microseconds = (a << 16) | (b << 8) | c;
    if (microseconds > 0) values.tempo ??= 60_000_000 / microseconds;
  } else if (kind === TIME_SIGNATURE && data.length >= 2) values.timeSignature ??= `${a}/${2 ** b}`;
  else if (kind === KEY_SIGNATURE && data.length >= 2) {
    const sharps = (a << 24) >> 24;
    // A minor key is three fifths after the major key with the same key signature.
    const note = NOTES_BY_FIFTHS[sharps + 7 + (b === 1 ? 3 : 0)];
    if (note) values.key ??= `${note} ${b === 1 ? 'Minor' : 'Major'}`;
  }
}
