/** A note of a score, with times in beats (quarter notes). */
export interface Note {
  midi: number;
  beat: number;
  beats: number;
  /** 0…1 */
  velocity: number;
}

const TICKS_PER_BEAT = 480;

const bytesOf = (value: number, shifts: number[]): number[] => shifts.map((shift) => (value >> shift) & 0xff);

const chunk = (name: string, body: number[]): number[] => [
  ...[...name].map((c) => c.charCodeAt(0)),
  ...bytesOf(body.length, [24, 16, 8, 0]),
  ...body,
];

/** Encodes a number as MIDI files do: in groups of seven bits. A clear top bit marks the last group. */
function variableLength(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

/**
 * Returns a standard MIDI file, format 0, with 480 ticks per quarter note, tempo and name.
 * @param drums puts the notes on channel 10
 */
export function midiFile(
  notes: Note[],
  options: { bpm: number; name: string; beats: number; drums?: boolean },
): Uint8Array {
  const channel = options.drums ? 9 : 0;
  const moments = notes
    .flatMap((note) => {
      const on = Math.max(0, Math.round(note.beat * TICKS_PER_BEAT));
      const off = Math.max(on + 1, Math.round((note.beat + note.beats) * TICKS_PER_BEAT));
      const velocity = Math.max(1, Math.min(127, Math.round(note.velocity * 127)));
      return [
        { tick: on, order: 1, bytes: [0x90 | channel, note.midi, velocity] },
        { tick: off, order: 0, bytes: [0x80 | channel, note.midi, 0] },
      ];
    })
    .sort((a, b) => a.tick - b.tick || a.order - b.order);
  const microsecondsPerBeat = Math.round(60_000_000 / options.bpm);
  const name = [...options.name].map((c) => c.charCodeAt(0) & 0x7f);
  const track = [
    [0, 0xff, 0x03, ...variableLength(name.length), ...name],
    [0, 0xff, 0x51, 3, ...bytesOf(microsecondsPerBeat, [16, 8, 0])],
    [0, 0xff, 0x58, 4, 4, 2, 24, 8],
  ].flat();
  let now = 0;
  for (const moment of moments) {
    track.push(...variableLength(moment.tick - now), ...moment.bytes);
    now = moment.tick;
  }
  track.push(...variableLength(Math.max(0, options.beats * TICKS_PER_BEAT - now)), 0xff, 0x2f, 0);
  const header = [0, 0, 0, 1, TICKS_PER_BEAT >> 8, TICKS_PER_BEAT & 0xff];
  return Uint8Array.from([...chunk('MThd', header), ...chunk('MTrk', track)]);
}
