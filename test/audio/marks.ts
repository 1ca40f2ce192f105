/** Adds chunks to a WAV or AIFF, and corrects its size. */
export function withChunks(file: Buffer, ...added: [string, Buffer][]): Buffer {
  const isWav = file.toString('latin1', 0, 4) === 'RIFF';
  const chunks = added.map(([id, content]) => {
    const head = Buffer.alloc(8);
    head.write(id, 'latin1');
    if (isWav) head.writeUInt32LE(content.length, 4);
    else head.writeUInt32BE(content.length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  });
  const whole = Buffer.concat([file, ...chunks]);
  if (isWav) whole.writeUInt32LE(whole.length - 8, 4);
  else whole.writeUInt32BE(whole.length - 8, 4);
  return whole;
}

/** A `smpl` chunk with a root note and loops. */
export function smpl(rootNote: number, ...loops: [start: number, end: number][]): Buffer {
  const chunk = Buffer.alloc(36 + loops.length * 24);
  chunk.writeUInt32LE(rootNote, 12);
  chunk.writeUInt32LE(loops.length, 28);
  for (const [index, [start, end]] of loops.entries()) {
    chunk.writeUInt32LE(start, 36 + index * 24 + 8);
    chunk.writeUInt32LE(end, 36 + index * 24 + 12);
  }
  return chunk;
}

/** A `cue ` chunk with a point at each frame. */
export function cue(...points: number[]): Buffer {
  const chunk = Buffer.alloc(4 + points.length * 24);
  chunk.writeUInt32LE(points.length, 0);
  for (const [index, frame] of points.entries()) chunk.writeUInt32LE(frame, 4 + index * 24 + 20);
  return chunk;
}

/** The `MARK` and `INST` chunks of AIFF, with a loop between the first two markers. */
export function aiffMarks(rootNote: number, ...markers: number[]): [string, Buffer][] {
  const marks = markers.map((frame, index) => {
    const record = Buffer.alloc(8 + 2);
    record.writeUInt16BE(index + 1, 0);
    record.writeUInt32BE(frame, 2);
    record.write('\u0003beg', 6, 'latin1');
    return record;
  });
  const inst = Buffer.alloc(20);
  inst.writeUInt8(rootNote, 0);
  inst.writeUInt16BE(1, 8);
  inst.writeUInt16BE(1, 10);
  inst.writeUInt16BE(2, 12);
  return [
    ['INST', inst],
    ['MARK', Buffer.concat([Buffer.of(0, markers.length), ...marks])],
  ];
}
