import type { ByteWindow } from './byte-window.js';
import { cue, inst, mark, type Marks, smpl } from './marks.js';

interface Stated {
  title?: string;
  bpm?: number;
  key?: string;
  /** The ID3 tag in the file. */
  id3?: Buffer;
}

type Content = Stated & Marks;

/** Damaged files may have millions of chunks. */
const CHUNKS_LIMIT = 200;
const CHUNK_LIMIT_BYTES = 64 * 1024;
const ID3_LIMIT_BYTES = 1024 * 1024;
const ONE_SHOT = 1;
const ROOT_NOTE = 2;
/** Tempo and key as programs write them: as text in the description of `bext`, or as elements of iXML. */
const TEMPO_TEXT = /(\d{2,3}(?:\.\d+)?)\s?bpm\b|<(?:BPM|TEMPO)>\s*(\d{2,3}(?:\.\d+)?)\s*</i;
const KEY_TEXT = /<KEY>\s*([A-G][^<]{0,10}?)\s*</i;

/** Reads what programs for music write into the chunks of WAV and AIFF. */
export function chunksOf(bytes: ByteWindow): Content {
  const head = bytes.view(0, 12).toString('latin1');
  const isWav = /^(RIFF|RF64|BW64)....WAVE/s.test(head);
  if (!isWav && !/^FORM....AIF[FC]/s.test(head)) return {};
  const stated: Content = {};
  let at = 12;
  for (let count = 0; count < CHUNKS_LIMIT && at + 8 <= bytes.sizeBytes; count++) {
    const start = bytes.read(at, 8);
    const size = isWav ? start.readUInt32LE(4) : start.readUInt32BE(4);
    const read = (limit: number) => bytes.read(at + 8, Math.min(size, limit));
    Object.assign(stated, contentOf(start.toString('latin1', 0, 4), read));
    at += 8 + size + (size % 2);
  }
  return stated;
}

function contentOf(id: string, read: (limit: number) => Buffer): Content {
  switch (id.trimEnd().toLowerCase()) {
    case 'acid':
      return acid(read(24));
    case 'bext':
    case 'ixml':
      return inText(read(CHUNK_LIMIT_BYTES).toString('latin1'));
    case 'name':
      return { title: read(256).toString('latin1').replaceAll('\0', '').trim() };
    case 'id3':
      return { id3: read(ID3_LIMIT_BYTES) };
    case 'smpl':
      return smpl(read(CHUNK_LIMIT_BYTES));
    case 'cue':
      return cue(read(CHUNK_LIMIT_BYTES));
    case 'mark':
      return mark(read(CHUNK_LIMIT_BYTES));
    case 'inst':
      return inst(read(CHUNK_LIMIT_BYTES));
    default:
      return {};
  }
}

/** Flags, root note, two unknown numbers, beats, denominator, numerator, tempo. */
function acid(chunk: Buffer): Content {
  if (chunk.length < 24) return {};
  const flags = chunk.readUInt32LE(0);
  const root = flags & ROOT_NOTE ? { rootNote: chunk.readUInt16LE(4) } : {};
  if (flags & ONE_SHOT) return { ...root, isOneShot: true };
  const bpm = chunk.readFloatLE(20);
  return { ...root, beats: chunk.readUInt32LE(12), ...(bpm > 0 && { bpm }) };
}

function inText(text: string): Stated {
  const [, spoken, tagged] = TEMPO_TEXT.exec(text) ?? [];
  const key = KEY_TEXT.exec(text)?.[1];
  const bpm = Number(spoken ?? tagged);
  return { ...(bpm > 0 && { bpm }), ...(key !== undefined && { key }) };
}
