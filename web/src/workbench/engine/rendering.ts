import { framesOf, RATE_HZ, type Pattern } from './timeline.js';
import type { EngineLane } from './lane.js';

/** How the first `content` frames of a sound become a piece of `frames` frames. */
export interface Rendering {
  content: number;
  frames: number;
  semitones: number;
  isPercussive: boolean;
  /** Whether the piece repeats without a pause. */
  loops: boolean;
  /** Frames before the piece that are rendered to hide the seam between its repeats; 0 unless it loops. */
  lead: number;
}

type Channel = Float32Array<ArrayBuffer>;

/** The tempo of a sample is stored in whole BPM, so the length of a loop can differ this much from its beats. */
const LOOP_TOLERANCE = 0.0125;
/** A sound is not stretched if its length would change by less than this, because the difference cannot be heard. */
const SAME_FRAMES = 0.002 * RATE_HZ;
const SEAM_FRAMES = { percussive: 0.01 * RATE_HZ, tonal: 0.06 * RATE_HZ };
export const FADE_FRAMES = 0.004 * RATE_HZ;

/** Returns how a sound is rendered for a lane, and when it plays. @param length frames of the sound as recorded */
export function planOf(
  length: number,
  { rate, semitones, isPercussive, cycleBeats, offsetBeats }: Omit<EngineLane, 'source'>,
  quarter: number,
): { rendering: Rendering; pattern: Pattern } {
  const cycle = cycleBeats === null ? null : framesOf(cycleBeats, quarter);
  const whole = length / rate;
  const loops = cycle !== null && whole >= cycle * (1 - LOOP_TOLERANCE);
  const isExact = loops && whole <= cycle * (1 + LOOP_TOLERANCE);
  const frames = loops ? cycle : Math.max(1, Math.round(Math.min(whole, cycle ?? whole)));
  const content = isExact || !loops ? length : Math.round(cycle * rate);
  const seam = SEAM_FRAMES[isPercussive ? 'percussive' : 'tonal'];
  const lead = loops ? Math.min(seam, frames >> 2) : 0;
  const pattern = { offset: framesOf(offsetBeats, quarter), cycle, length: frames };
  return { rendering: { content, frames, semitones, isPercussive, loops, lead }, pattern };
}

export const isAsRecorded = ({ content, frames, semitones }: Rendering): boolean =>
  semitones === 0 && Math.abs(content - frames) <= SAME_FRAMES;

/**
 * Fills `target` with a sound, beginning at the frame `from` of the sound. Outside its content, the content repeats if
 * it loops; otherwise there is silence.
 */
export function fill(
  target: Float32Array,
  channel: Float32Array,
  { content, loops }: Pick<Rendering, 'content' | 'loops'>,
  from: number,
): void {
  for (let at = 0; at < target.length;) {
    const position = loops ? (((from + at) % content) + content) % content : from + at;
    const isInside = position >= 0 && position < content;
    const count = Math.min(
      target.length - at,
      isInside ? content - position : position < 0 ? -position : Infinity,
    );
    if (isInside) {
      target.fill(0, at, at + count);
      target.set(channel.subarray(position, position + count), at);
    } else target.fill(0, at, at + count);
    at += count;
  }
}

/** Returns a piece, with its lead, of a sound that is not stretched. */
export const copied = (channels: readonly Float32Array[], rendering: Rendering): Channel[] =>
  channels.map((channel) => {
    const copy = new Float32Array(rendering.lead + rendering.frames);
    fill(copy, channel, rendering, -rendering.lead);
    return copy;
  });

/** Returns a piece, with its lead, whose pitch follows the tempo. For browsers that cannot stretch. */
export function resampled(channels: readonly Float32Array[], rendering: Rendering): Channel[] {
  const { content, frames, lead } = rendering;
  const rate = content / frames;
  return channels.map((channel) => {
    const before = Math.ceil(lead * rate);
    const source = new Float32Array(before + content + 1);
    fill(source, channel, rendering, -before);
    return Float32Array.from({ length: lead + frames }, (_, at) => {
      const position = before + (at - lead) * rate;
      const whole = Math.floor(position);
      const [one = 0, next = 0] = [source[whole], source[whole + 1]];
      return one + (next - one) * (position - whole);
    });
  });
}

/**
 * Returns a piece without its lead. The end of a loop fades into the lead, so that the start of the next repeat follows
 * without a seam and keeps its attack. Any other piece ends with a short fade.
 */
export function finished(channels: readonly Channel[], { frames, lead }: Rendering): Channel[] {
  const pieces = channels.map((channel) => channel.slice(lead));
  if (lead === 0) {
    const fade = Math.min(FADE_FRAMES, frames);
    for (const piece of pieces)
      for (let at = 0; at < fade; at += 1)
        piece[frames - 1 - at] = (piece[frames - 1 - at] ?? 0) * (at / fade);
    return pieces;
  }
  const likeness = likenessOf(pieces, channels, lead);
  for (const [index, piece] of pieces.entries())
    for (let at = 0; at < lead; at += 1) {
      const share = (at + 1) / (lead + 1);
      const [end = 0, before = 0] = [piece[frames - lead + at], channels[index]?.[at]];
      // A mix of sounds that differ in phase is quieter. Dividing by `loudness` makes up for that.
      const loudness = Math.sqrt((1 - share) ** 2 + share ** 2 + 2 * likeness * share * (1 - share));
      piece[frames - lead + at] = ((1 - share) * end + share * before) / loudness;
    }
  return pieces;
}

/** Returns how alike the end of a piece and its lead are: 1 for the same sound, 0 for unrelated ones. */
function likenessOf(pieces: readonly Channel[], channels: readonly Channel[], lead: number): number {
  let [both, ends, leads] = [0, 0, 0];
  for (const [index, piece] of pieces.entries())
    for (let at = 0; at < lead; at += 1) {
      const [end = 0, before = 0] = [piece[piece.length - lead + at], channels[index]?.[at]];
      both += end * before;
      ends += end * end;
      leads += before * before;
    }
  return ends * leads > 0 ? Math.max(0, both / Math.sqrt(ends * leads)) : 0;
}
