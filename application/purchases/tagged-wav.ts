export interface Tags {
  title: string;
  creator: string;
  pack: string;
  genre: string;
  /** 0 if unknown. */
  bpm: number;
  key: string | null;
  isLoop: boolean;
  certificateId: string;
  issuedAt: Date;
  originalSha256: string;
}

export interface WavShape {
  sampleRateHz: number;
  frames: number;
  /** The position after the last chunk, in bytes. */
  endsAt: number;
  chunks: ReadonlySet<string>;
}

const HEADER_BYTES = 12;
const CHUNKS_LIMIT = 200;

/** Reads the list of chunks in a WAV file. @returns undefined if the file is damaged or no WAV */
export async function wavShape(
  read: (from: number, count: number) => Promise<Buffer>,
  sizeBytes: number,
): Promise<WavShape | undefined> {
  const header = await read(0, HEADER_BYTES);
  if (header.toString('latin1', 0, 4) !== 'RIFF' || header.toString('latin1', 8, 12) !== 'WAVE')
    return undefined;
  const chunks = new Set<string>();
  let at = HEADER_BYTES;
  let [sampleRateHz, blockAlign, frames] = [0, 0, 0];
  while (at + 8 <= sizeBytes && chunks.size < CHUNKS_LIMIT) {
    const head = await read(at, Math.min(24, sizeBytes - at));
    const id = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    if (at + 8 + length > sizeBytes) return undefined;
    if (id === 'fmt ' && head.length >= 22)
      [sampleRateHz, blockAlign] = [head.readUInt32LE(12), head.readUInt16LE(20)];
    if (id === 'data' && blockAlign > 0) frames = Math.floor(length / blockAlign);
    chunks.add(id.toLowerCase());
    at += 8 + length + (length % 2);
  }
  return frames > 0 && sampleRateHz > 0
    ? { sampleRateHz, frames, endsAt: Math.min(at, sizeBytes), chunks }
    : undefined;
}

/** Returns the RIFF header of the copy, and the chunks to append. Skips a kind of chunk that the original has. */
export function tagsOf(shape: WavShape, tags: Tags): { header: Buffer; appended: Buffer } {
  const wanted: [id: string, body: Buffer | undefined][] = [
    ['bext', bext(tags)],
    ['acid', acid(shape, tags)],
    ['smpl', smpl(shape, tags)],
    ['cue ', cue(shape, tags)],
    ['id3 ', id3(tags)],
  ];
  const parts = wanted.flatMap(([id, body]) => (body && !shape.chunks.has(id) ? [chunk(id, body)] : []));
  const appended = Buffer.concat([Buffer.alloc(shape.endsAt % 2), ...parts]);
  const header = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1');
  header.writeUInt32LE(shape.endsAt + appended.length - 8, 4);
  return { header, appended };
}

function chunk(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

const NOTES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const FLATS: Record<string, string> = { Db: 'C#', Eb: 'D#', Gb: 'F#', Ab: 'G#', Bb: 'A#' };
const MIDDLE_C = 60;

/** Returns the MIDI note of a key's tonic, for example 61 for `C# Minor`. */
function rootOf(key: string | null): number | undefined {
  const note = key?.split(' ')[0] ?? '';
  const at = NOTES.indexOf(FLATS[note] ?? note);
  return at < 0 ? undefined : MIDDLE_C + at;
}

const beatsOf = ({ frames, sampleRateHz }: WavShape, bpm: number) => (frames / sampleRateHz / 60) * bpm;

/** Returns tempo and key as an acid chunk: https://exiftool.org/TagNames/RIFF.html#Acidizer */
function acid(shape: WavShape, { bpm, key, isLoop }: Tags): Buffer {
  const root = rootOf(key);
  const isStretched = isLoop && bpm > 0;
  const body = Buffer.alloc(24);
  body.writeUInt32LE((isLoop ? 0 : 1) + (root === undefined ? 0 : 2) + (isStretched ? 4 : 0), 0);
  body.writeUInt16LE(root ?? MIDDLE_C, 4);
  body.writeUInt16LE(0x8000, 6);
  body.writeUInt32LE(isStretched ? Math.max(1, Math.round(beatsOf(shape, bpm))) : 0, 12);
  body.writeUInt16LE(4, 16);
  body.writeUInt16LE(4, 18);
  body.writeFloatLE(bpm, 20);
  return body;
}

function smpl({ sampleRateHz, frames }: WavShape, { key, isLoop }: Tags): Buffer {
  const body = Buffer.alloc(isLoop ? 60 : 36);
  body.writeUInt32LE(Math.round(1e9 / sampleRateHz), 8);
  body.writeUInt32LE(rootOf(key) ?? MIDDLE_C, 12);
  if (isLoop) {
    body.writeUInt32LE(1, 28);
    body.writeUInt32LE(frames - 1, 48);
  }
  return body;
}

const CUES_LIMIT = 256;

/** Returns a chunk with a cue point on each beat of a loop, for samplers that slice loops at cue points. */
function cue(shape: WavShape, { bpm, isLoop }: Tags): Buffer | undefined {
  const beats = isLoop ? Math.round(beatsOf(shape, bpm)) : 0;
  if (beats < 1 || beats > CUES_LIMIT) return undefined;
  const body = Buffer.alloc(4 + beats * 24);
  body.writeUInt32LE(beats, 0);
  for (let n = 0; n < beats; n += 1) {
    const frame = Math.round((n * 60 * shape.sampleRateHz) / bpm);
    const at = 4 + n * 24;
    body.writeUInt32LE(n + 1, at);
    body.writeUInt32LE(frame, at + 4);
    body.write('data', at + 8, 'latin1');
    body.writeUInt32LE(frame, at + 20);
  }
  return body;
}

/** Returns title and licence as a `bext` chunk (EBU Tech 3285, version 1), which allows only ASCII. */
function bext({ title, creator, certificateId, issuedAt }: Tags): Buffer {
  const body = Buffer.alloc(602);
  const text = (value: string, at: number, limit: number) =>
    body.write(
      value
        .normalize('NFKD')
        .replaceAll(/[^\x20-\x7e]/g, '')
        .slice(0, limit),
      at,
      'latin1',
    );
  const [day = '', time = ''] = issuedAt.toISOString().split(/[T.]/);
  text(`${title} by ${creator}. Licence ${certificateId}`, 0, 256);
  text('Offcut', 256, 32);
  text(certificateId, 288, 32);
  text(day, 320, 10);
  text(time, 330, 8);
  body.writeUInt16LE(1, 346);
  return body;
}

/** Returns the tags as ID3v2.3 with UTF-16, a version that every reader supports. */
function id3({ title, creator, pack, genre, bpm, key, certificateId, originalSha256 }: Tags): Buffer {
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const end = Buffer.alloc(2);
  const frame = (id: string, ...texts: string[]) => {
    const body = Buffer.concat([
      Buffer.from([1]),
      ...texts.flatMap((text, n) => (n > 0 ? [end, utf16(text)] : [utf16(text)])),
    ]);
    const head = Buffer.alloc(10);
    head.write(id, 'latin1');
    head.writeUInt32BE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const frames = Buffer.concat([
    frame('TIT2', title),
    frame('TPE1', creator),
    frame('TALB', pack),
    frame('TCON', genre),
    ...(bpm > 0 ? [frame('TBPM', String(bpm))] : []),
    ...(key === null ? [] : [frame('TKEY', key.replace(' Minor', 'm').replace(' Major', ''))]),
    frame('TXXX', 'Offcut licence', certificateId),
    frame('TXXX', 'Offcut original SHA-256', originalSha256),
  ]);
  const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1');
  for (let n = 0; n < 4; n += 1) head[9 - n] = (frames.length >> (7 * n)) & 0x7f;
  return Buffer.concat([head, frames]);
}
