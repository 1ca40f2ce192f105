import {
  ADTS,
  BufferSource,
  FilePathSource,
  FLAC,
  Input,
  Logging,
  LogLevel,
  MP3,
  MP4,
  OGG,
  type Source,
  WAVE,
} from 'mediabunny';
import { ByteWindow } from './byte-window.js';
import { chunksOf } from './chunks.js';
import type { Marks } from './marks.js';

export interface AudioTags {
  title?: string | undefined;
  bpm?: number | undefined;
  /** As written in the file. */
  key?: string | undefined;
  /** Loop points, markers and the root note. */
  marks?: Marks;
}

/** Larger tags hold pictures or are damaged. They are not read, because a tag is read as a whole. */
const LARGEST_TAG_BYTES = 16 * 1024 * 1024;
/** Two empty MP3 frames. They follow an ID3 tag from a chunk, so that mediabunny reads the tag as an MP3 file. */
const EMPTY_MP3 = Buffer.alloc(2 * 417);
for (const at of [0, 417]) EMPTY_MP3.set([0xff, 0xfb, 0x90, 0x00], at);
const KEY_TAGS = ['TKEY', 'KEY', 'INITIALKEY', 'INITIAL_KEY', 'key', 'initialkey'] as const;
const TEMPO_TAGS = ['BPM', 'TEMPO', 'bpm', 'tempo'] as const;

// Without this, mediabunny's warnings about unusual files would appear in the output of commands.
Logging.level = LogLevel.Silent;

/**
 * Reads tags from the file: ID3, Vorbis comments, iTunes atoms, WAV's INFO, `acid`, `bext`, iXML, `smpl` and `cue `, and
 * the chunks of AIFF. Returns an empty object if they are unreadable.
 */
export async function readTags(path: string): Promise<AudioTags> {
  try {
    const chunks = chunksIn(path);
    if (chunks === undefined) return {};
    const { id3, title, bpm, key, ...marks } = chunks;
    const inside = id3 ? await commonTags(new BufferSource(Buffer.concat([id3, EMPTY_MP3]))) : {};
    const around = await commonTags(new FilePathSource(path, { handleUnhandledError: () => undefined }));
    return {
      title: around.title ?? inside.title ?? title,
      bpm: around.bpm ?? inside.bpm ?? bpm,
      key: around.key ?? inside.key ?? key,
      marks,
    };
  } catch {
    return {};
  }
}

/** Returns undefined if the file starts with a tag that is too large to read. */
function chunksIn(path: string): ReturnType<typeof chunksOf> | undefined {
  const bytes = new ByteWindow(path);
  try {
    const head = bytes.view(0, 10);
    const isId3 = head.toString('latin1', 0, 3) === 'ID3' && head.length === 10;
    const size = isId3
      ? [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((head[index] as number) & 0x7f), 0)
      : 0;
    return size > LARGEST_TAG_BYTES ? undefined : chunksOf(bytes);
  } finally {
    bytes.close();
  }
}

async function commonTags(source: Source): Promise<AudioTags> {
  const input = new Input({ source, formats: [WAVE, MP4, ADTS, MP3, OGG, FLAC] });
  try {
    const { title, beatsPerMinute, raw = {} } = await input.getMetadataTags();
    const said = (names: readonly string[]) =>
      names.map((name) => raw[name]).find((value) => typeof value === 'string');
    const bpm = beatsPerMinute ?? Number(said(TEMPO_TAGS));
    return { title, bpm: bpm > 0 ? bpm : undefined, key: said(KEY_TAGS) };
  } catch {
    return {};
  } finally {
    input.dispose();
  }
}
