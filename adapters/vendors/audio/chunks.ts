import type { ByteWindow } from './byte-window.js';

interface Stated {
  title?: string;
  bpm?: number;
  key?: string;
  /** The ID3 tag in the file. */
  id3?: Buffer;
}

/** Damaged files may have millions of chunks. */
const CHUNKS_LIMIT = 200;
const TEXT_LIMIT_BYTES = 64 * 1024;
const ID3_LIMIT_BYTES = 1024 * 1024;
const ONE_SHOT = 1;
/** In the description of `bext`, and in iXML. */
const TEMPO_TEXT = /(\d{2,3}(?:\.\d+)?)\s?bpm\b|<(?:BPM|TEMPO)>\s*(\d{2,3}(?:\.\d+)?)\s*</i;
const KEY_TEXT = /<KEY>\s*([A-G][^<]{0,10}?)\s*</i;

/** Reads what programs for music write into the chunks of WAV and AIFF. */
export function chunksOf(bytes: ByteWindow): Stated {
  const head = bytes.view(0, 12).toString('latin1');
  const isWav = /^(RIFF|RF64|BW64)....WAVE/s.test(head);
  if (!isWav && !/^FORM....AIF[FC]/s.test(head)) return {};
  const stated: Stated = {};
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

function contentOf(id: string, read: (limit: number) => Buffer): Stated {
  switch (id.trimEnd().toLowerCase()) {
    case 'acid':
      return acid(read(24));
    case 'bext':
    case 'ixml':
      return inText(read(TEXT_LIMIT_BYTES).toString('latin1'));
    case 'name':
      return { title: read(256).toString('latin1').replaceAll('\0', '').trim() };
    case 'id3':
      return { id3: read(ID3_LIMIT_BYTES) };
    default:
      return {};
  }
}

/** Flags, root note, two unknown numbers, beats, denominator, numerator, tempo. */
function acid(chunk: Buffer): Stated {
  if (chunk.length < 24 || chunk.readUInt32LE(0) & ONE_SHOT) return {};
  const bpm = chunk.readFloatLE(20);
  return bpm > 0 ? { bpm } : {};
}

function inText(text: string): Stated {
  const [, spoken, tagged] = TEMPO_TEXT.exec(text) ?? [];
  const key = KEY_TEXT.exec(text)?.[1];
  const bpm = Number(spoken ?? tagged);
  return { ...(bpm > 0 && { bpm }), ...(key !== undefined && { key }) };
}
