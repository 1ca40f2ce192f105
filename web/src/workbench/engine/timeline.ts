/** Every context and every buffer of the workbench has this rate, so that all positions are whole frames. */
export const RATE_HZ = 48_000;

/**
 * Returns the frames of a quarter beat. They are a whole number, so that lanes and clicks never drift apart. The tempo
 * differs by less than 0.02 % from the given one.
 */
export const quarterFrames = (tempo: number): number => Math.round((RATE_HZ * 60) / tempo / 4);

export const framesOf = (beats: number, quarter: number): number => Math.round(beats * 4 * quarter);

/**
 * When a sound plays in the song, in frames. It repeats every `cycle` frames, or plays once if `cycle` is null.
 * `length` is at most `cycle`.
 */
export interface Pattern {
  offset: number;
  cycle: number | null;
  length: number;
}

/** A part of a pass through the song, between two positions. @property end where the pass ends */
export interface Span {
  from: number;
  to: number;
  end: number;
}

/** A section of a sound. @property at position in the song @property skip frames that are left out at the start */
export interface Piece {
  at: number;
  skip: number;
  length: number;
}

/**
 * Returns the pieces of a lane that begin in a span.
 * @param isFresh also returns the rest of a piece that began before the span
 */
export function piecesOf({ offset, cycle, length }: Pattern, span: Span, isFresh: boolean): Piece[] {
  const pieces: Piece[] = [];
  const earliest = isFresh ? span.from - length + 1 : span.from;
  const first = cycle === null ? 0 : Math.max(0, Math.ceil((earliest - offset) / cycle));
  for (
    let begin = offset + first * (cycle ?? 0);
    begin < span.to;
    begin += cycle ?? Number.POSITIVE_INFINITY
  ) {
    if (begin < earliest) continue;
    const at = Math.max(begin, span.from);
    pieces.push({ at, skip: at - begin, length: Math.min(begin + length, span.end) - at });
  }
  return pieces;
}

/** The song is at position `origin` when the clock of the context is at frame `start`. The song repeats its `range`. */
export interface Transport {
  /** The frames of a quarter beat. */
  quarter: number;
  start: number;
  origin: number;
  range: { from: number; to: number };
}

/** Returns the position in the song at a frame of the clock; before `start`, as if the song had already played. */
export function positionAt({ start, origin, range }: Transport, frame: number): number {
  const position = origin + frame - start;
  return position < range.to ? position : range.from + ((position - range.to) % (range.to - range.from));
}

/**
 * Returns the parts of passes through the song between two frames of the clock.
 * @property frame the frame of the clock at which a part begins
 */
export function passesBetween(
  transport: Transport,
  from: number,
  to: number,
): (Span & { frame: number; isStart: boolean })[] {
  const passes = [];
  for (let frame = from; frame < to;) {
    const position = positionAt(transport, frame);
    const length = Math.min(to - frame, transport.range.to - position);
    const isStart = position === transport.range.from;
    passes.push({ frame, from: position, to: position + length, end: transport.range.to, isStart });
    frame += length;
  }
  return passes;
}
