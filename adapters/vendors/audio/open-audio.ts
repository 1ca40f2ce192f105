import { openAiff } from './formats/aiff.js';
import { openAdts, openM4a } from './formats/aac.js';
import { ByteWindow } from './byte-window.js';
import { openFlac, openOggFlac } from './formats/flac.js';
import { openOggStreams, type OggStream } from './formats/ogg.js';
import { openMp3 } from './formats/mp3.js';
import { AudioRefused, type AudioLimits, type PcmSource, assertDuration, unreadable } from './pcm.js';
import { openOpus } from './formats/opus.js';
import { openVorbis } from './formats/vorbis.js';
import { openWav } from './formats/wav.js';

/** MP4 brands of other content than music: films, audiobooks, phone recordings and pictures. */
const OTHER_BRANDS = /^([^ -\x7f\xa0-\xff]|qt|3g|F4|M4[VPB]|avi[fs]|mif1|msf1|he[iv][cx]|crx)/;

/** Opens a file by its content, ignoring its name. @throws AudioRefused */
export async function openAudio(bytes: ByteWindow, limits: AudioLimits): Promise<PcmSource> {
  if (bytes.sizeBytes === 0) throw new AudioRefused({ code: 'AudioEmpty' });
  if (bytes.sizeBytes > limits.bytes)
    throw new AudioRefused({ code: 'AudioTooLarge', limitBytes: limits.bytes });
  const source = await openByContent(bytes, limits);
  if (source.sampleRateHz < 8_000) throw unreadable('the sample rate is not supported');
  assertDuration(source.expectedFrames, source.sampleRateHz, limits);
  return source;
}

/** Opens a file, runs `work` with it, and closes it. @throws AudioRefused */
export async function withAudio<Result>(
  path: string,
  limits: AudioLimits,
  work: (source: PcmSource) => Promise<Result>,
): Promise<Result> {
  const bytes = new ByteWindow(path);
  let source: PcmSource | undefined;
  try {
    source = await openAudio(bytes, limits);
    return await work(source);
  } finally {
    source?.close?.();
    bytes.close();
  }
}

async function openByContent(bytes: ByteWindow, limits: AudioLimits): Promise<PcmSource> {
  const startAt = afterId3(bytes);
  switch (kindAt(bytes, startAt)) {
    case 'wav':
      return openWav(bytes, (at) => openOgg(bytes, at));
    case 'mp3':
      return openMp3(bytes, startAt);
    case 'aac':
      return openAdts(bytes, startAt);
    case 'aiff':
      return openAiff(bytes);
    case 'flac':
      return openFlac(bytes, startAt);
    case 'ogg':
      return openOgg(bytes, startAt);
    case 'm4a':
      return openM4a(bytes, limits);
    default:
      throw new AudioRefused({ code: 'UnsupportedAudioType' });
  }
}

/** Codecs by the first bytes of their streams (RFC 5334). */
const OTHER_CODECS: readonly (readonly [RegExp, string])[] = [
  [/^Speex {3}/, 'Speex'],
  [/^\x80theora/, 'Theora'],
  [/^fishead/, 'Skeleton'],
  [/^\x80kate/, 'Kate'],
];

/**
 * Opens Vorbis, Opus or FLAC in Ogg. Streams that follow each other are one sound; a mono stream is copied to all
 * its channels.
 */
async function openOgg(bytes: ByteWindow, startAt: number): Promise<PcmSource> {
  const sources: PcmSource[] = [];
  for (const stream of openOggStreams(bytes, startAt)) sources.push(await openOggStream(stream));
  const [first] = sources as [PcmSource, ...PcmSource[]];
  if (sources.length === 1) return first;
  const channels = Math.max(...sources.map((source) => source.channels));
  const isAlike = (source: PcmSource): boolean =>
    source.format === first.format &&
    source.sampleRateHz === first.sampleRateHz &&
    [1, channels].includes(source.channels);
  if (!sources.every(isAlike)) throw unreadable('the streams of the Ogg file have different formats');
  return {
    ...first,
    channels,
    expectedFrames: sources.reduce((frames, { expectedFrames }) => frames + expectedFrames, 0),
    hasExactLength: sources.every(({ hasExactLength }) => hasExactLength),
    async *blocks() {
      for (const source of sources)
        for await (const block of source.blocks())
          yield Array.from({ length: channels }, (_, at) => (block[at] ?? block[0]) as Float32Array);
    },
  };
}

async function openOggStream(stream: OggStream): Promise<PcmSource> {
  const head = stream.packets().next().value?.toString('latin1', 0, 16) ?? '';
  if (head.startsWith('\x01vorbis')) return openVorbis(stream);
  if (head.startsWith('OpusHead')) return openOpus(stream);
  if (head.startsWith('\x7fFLAC')) return openOggFlac(stream);
  const [, codec] = OTHER_CODECS.find(([pattern]) => pattern.test(head)) ?? [];
  throw unreadable(codec ? `Ogg files with ${codec} are not supported` : 'this kind of Ogg is not supported');
}

/** Returns where the sound starts, after all ID3 tags. */
function afterId3(bytes: ByteWindow): number {
  let at = 0;
  for (;;) {
    const head = bytes.view(at, 10);
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return at;
    const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + ((head[index] as number) & 0x7f), 0);
    at += 10 + size;
  }
}

function kindAt(bytes: ByteWindow, at: number): PcmSource['format'] | undefined {
  // A file that ends inside its ID3 tags is probably a truncated MP3.
  if (at > bytes.sizeBytes) return 'mp3';
  const head = bytes.view(at, 12);
  if (head.length < 4) return undefined;
  const text = head.toString('latin1');
  if (at === 0 && /^(RIFF|RF64|BW64)....WAVE/s.test(text)) return 'wav';
  if (at === 0 && /^FORM....AIF[FC]/s.test(text)) return 'aiff';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.slice(4, 8) === 'ftyp') return OTHER_BRANDS.test(text.slice(8)) ? undefined : 'm4a';
  return mpegKind(head.readUInt32BE());
}

/** A frame header has 11 bits of synchronisation, 2 of version, 2 of layer; later 4 of bit rate, 2 of sample rate. */
function mpegKind(word: number): 'mp3' | 'aac' | undefined {
  if (word >>> 21 !== 0x7ff) return undefined;
  const [version, layer] = [(word >>> 19) & 3, (word >>> 17) & 3];
  if (version >= 2 && layer === 0) return 'aac';
  const isReserved = version === 1 || ((word >>> 12) & 15) === 15 || ((word >>> 10) & 3) === 3;
  return layer === 1 && !isReserved ? 'mp3' : undefined;
}
