import type { Question } from './questions.js';
import { differing, heardFrames, type Signs } from './signs.js';

export interface Entry {
  id: number;
  /** A search skips sounds that belong to the owner of the searched sound. */
  owner: string;
  signs: Signs;
}

export interface Alignment {
  id: number;
  speed: number;
  cut: number;
  /** The number of frames by which the known sound is later than the searched sound. */
  shift: number;
  /** The share of equal signs in the frames `heard` in both sounds. */
  agreement: number;
  frames: number;
  /** The number of frames whose signs agree more than by chance. */
  agreeing: number;
}

const HALF = 0x1_0000;
const KEYS = 2 * HALF;
/** A half word (16 signs) that occurs more often than this is skipped, because it does not distinguish sounds. */
const COMMON = 8_000;
const STEP = 2;
/** For sounds with more frames than this, a search uses every third frame. The index has every second frame. */
const ALL_FRAMES = 900;
const LONG_STEP = 3;
/** For sounds with fewer frames than this, a search also tries frames with their least certain signs flipped. */
const SHORT_FRAMES = 220;
const MOST_COMPARED = 300;
const MOST_ANSWERED = 20;
const FEWEST_FRAMES = 5;
/** A copy must match for this share of the longer sound or for `ENOUGH_FRAMES`: a kick inside a groove is no copy. */
const SHARE = 0.35;
const ENOUGH_FRAMES = 130;
const LEAST_AGREEMENT = 0.58;
/** Frames agree if at most this many of their 32 signs differ. Between unrelated sounds about 16 differ. */
const AGREES = 8;

interface Segment {
  entries: Entry[];
  starts: Uint32Array;
  words: Int32Array;
  heard: Uint8Array;
  offsets: Uint32Array;
  postings: Uint32Array;
}

interface Candidate {
  segment: Segment;
  entry: number;
  votes: number;
  diagonal: number;
  question: Question;
}

/** Finds known sounds with a similar fingerprint: looks up half words, and counts the hits of each time shift. */
export class SoundIndex {
  /** Each segment is more than twice as large as the next, so that a search visits few segments. */
  private readonly segments: Segment[] = [];
  private pending: Entry[] = [];
  private votes = new Uint8Array(0);

  add(entries: readonly Entry[]): void {
    this.pending.push(...entries);
  }

  find(questions: readonly Question[], owner: string): Alignment[] {
    this.settle();
    const found: Candidate[] = [];
    for (const segment of this.segments) found.push(...this.candidates(segment, questions, owner));
    found.sort((a, b) => b.votes - a.votes);
    return found
      .slice(0, MOST_COMPARED)
      .map((candidate) => aligned(candidate, questions))
      .filter((each) => each !== undefined)
      .sort((a, b) => certainty(b) - certainty(a))
      .slice(0, MOST_ANSWERED);
  }

  private settle(): void {
    if (this.pending.length === 0) return;
    let entries = this.pending;
    this.pending = [];
    for (;;) {
      const last = this.segments.at(-1);
      if (!last || last.entries.length > 2 * entries.length) break;
      this.segments.pop();
      entries = [...last.entries, ...entries];
    }
    this.segments.push(segmentOf(entries));
  }

  private candidates(segment: Segment, questions: readonly Question[], owner: string): Candidate[] {
    const best = new Map<number, Candidate>();
    for (const question of questions) this.vote(segment, question, owner, best);
    return [...best.values()];
  }

  private vote(segment: Segment, question: Question, owner: string, best: Map<number, Candidate>): void {
    const { words, heard, doubts } = question.signs;
    const { offsets, postings, entries } = segment;
    const isShort = words.length <= SHORT_FRAMES;
    const needed = Math.max(2, Math.min(6, Math.floor(words.length / 12)));
    const room = segment.words.length + words.length;
    if (this.votes.length < room) this.votes = new Uint8Array(room);
    const votes = this.votes;
    votes.fill(0, 0, room);
    const step = words.length > ALL_FRAMES ? LONG_STEP : 1;
    for (let frame = 0; frame < words.length; frame += step) {
      if (!heard[frame]) continue;
      for (const key of keysOf(words[frame] as number, isShort ? (doubts[frame] as number) : 0)) {
        const from = offsets[key] as number;
        const to = offsets[key + 1] as number;
        if (to - from > COMMON) continue;
        for (let at = from; at < to; at++) {
          const position = postings[at] as number;
          // Adding the number of frames of the searched sound keeps the array index from being negative.
          const diagonal = position - frame + words.length;
          const count = (votes[diagonal] as number) + 1;
          votes[diagonal] = Math.min(count, 254);
          if (count < needed) continue;
          const entry = entryAt(segment, position);
          const known = best.get(entry);
          if (known ? known.votes >= count : entries[entry]?.owner === owner) continue;
          best.set(entry, { segment, entry, votes: count, diagonal: diagonal - words.length, question });
        }
      }
    }
  }
}

/** Returns the index keys of both half words, with every combination of their least certain signs flipped. */
function keysOf(word: number, doubts: number): number[] {
  const keys = [];
  for (const [half, doubtful, base] of [
    [word & 0xffff, doubts & 0xffff, 0],
    [word >>> 16, doubts >>> 16, HALF],
  ] as const) {
    // Inverts every subset of the doubtful bits, the empty subset last.
    for (let turned = doubtful; ; turned = (turned - 1) & doubtful) {
      keys.push(base + (half ^ turned));
      if (turned === 0) break;
    }
  }
  return keys;
}

/** Ranks alignments: many frames that agree well come before few frames that agree fully. */
const certainty = ({ agreement, frames }: Alignment): number => agreement - 0.4 / Math.sqrt(frames);

function segmentOf(entries: Entry[]): Segment {
  const starts = new Uint32Array(entries.length + 1);
  for (const [index, { signs }] of entries.entries())
    starts[index + 1] = (starts[index] as number) + signs.words.length;
  const total = starts[entries.length] as number;
  const words = new Int32Array(total);
  const heard = new Uint8Array(total);
  for (const [index, entry] of entries.entries()) {
    const start = starts[index] as number;
    words.set(entry.signs.words, start);
    heard.set(entry.signs.heard, start);
    // The entry's signs become views of the segment's arrays, so that they are in memory only once.
    const end = starts[index + 1] as number;
    entry.signs = { words: words.subarray(start, end), heard: heard.subarray(start, end) };
  }
  const offsets = new Uint32Array(KEYS + 1);
  for (let at = 0; at < total; at += STEP) {
    if (!heard[at]) continue;
    const word = words[at] as number;
    for (const key of [word & 0xffff, HALF + (word >>> 16)])
      offsets[key + 1] = (offsets[key + 1] as number) + 1;
  }
  for (let key = 0; key < KEYS; key++)
    offsets[key + 1] = (offsets[key + 1] as number) + (offsets[key] as number);
  const postings = new Uint32Array(offsets[KEYS] as number);
  const next = offsets.slice(0, KEYS);
  for (let at = 0; at < total; at += STEP) {
    if (!heard[at]) continue;
    const word = words[at] as number;
    for (const key of [word & 0xffff, HALF + (word >>> 16)]) {
      const place = next[key] as number;
      postings[place] = at;
      next[key] = place + 1;
    }
  }
  return { entries, starts, words, heard, offsets, postings };
}

function entryAt({ starts }: Segment, position: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the best alignment near the most frequent time shift, over all variants with about the same speed. */
function aligned(candidate: Candidate, questions: readonly Question[]): Alignment | undefined {
  const { segment, entry, diagonal, question } = candidate;
  const { signs, id } = segment.entries[entry] as Entry;
  const voted = diagonal - (segment.starts[entry] as number);
  let best: Alignment | undefined;
  for (const asked of questions) {
    if (Math.abs(asked.speed - question.speed) > 0.011) continue;
    for (let shift = voted - 2; shift <= voted + 2; shift++) {
      const compared = agreementAt(signs, asked.signs, shift);
      if (compared.frames < FEWEST_FRAMES || compared.agreement < LEAST_AGREEMENT) continue;
      if (!best || compared.agreement > best.agreement)
        best = { id, speed: asked.speed, cut: asked.cut, shift, ...compared };
    }
  }
  if (!best) return undefined;
  const longer = Math.max(heardFrames(signs), heardFrames(question.signs));
  return best.frames >= SHARE * longer || best.frames >= ENOUGH_FRAMES ? best : undefined;
}

/** Returns the share of equal signs. @param shift the frames by which the known sound is later */
function agreementAt(known: Signs, asked: Signs, shift: number) {
  let wrong = 0;
  let frames = 0;
  let agreeing = 0;
  const from = Math.max(0, shift);
  const to = Math.min(known.words.length, asked.words.length + shift);
  for (let at = from; at < to; at++) {
    if (!known.heard[at] || !asked.heard[at - shift]) continue;
    const differ = differing(known.words[at] as number, asked.words[at - shift] as number);
    wrong += differ;
    frames++;
    if (differ <= AGREES) agreeing++;
  }
  return { agreement: frames === 0 ? 0 : 1 - wrong / (32 * frames), frames, agreeing };
}
