import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withAudio } from '../../adapters/vendors/audio/open-audio.js';
import { pagesOf } from '../../adapters/vendors/audio/formats/ogg.js';
import { AudioRefused } from '../../adapters/vendors/audio/pcm.js';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { aiffFile, sine, wavFile } from './synthesis.js';

const studio = new WorkerAudioStudio();
const folder = mkdtempSync(join(tmpdir(), 'offcut-formats-'));
const fixtures = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');
const LIMITS = { bytes: 1e8, durationMs: 900_000 };
afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
});

const fixture = (name: string): Buffer => readFileSync(join(fixtures, name));

function pathOf(bytes: Buffer): string {
  const path = join(folder, 'sound');
  writeFileSync(path, bytes);
  return path;
}

const decoded = (bytes: Buffer) =>
  withAudio(pathOf(bytes), LIMITS, async (source) => {
    const channels: number[][] = Array.from({ length: source.channels }, () => []);
    for await (const block of source.blocks())
      for (const [at, samples] of block.entries()) for (const value of samples) channels[at]?.push(value);
    const { format, sampleRateHz, bitDepth } = source;
    return { format, sampleRateHz, bitDepth, channels };
  });

const reasonOf = (bytes: Buffer): Promise<string> =>
  decoded(bytes).then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof AudioRefused)) throw error;
      return 'reason' in error.rejection ? error.rejection.reason : error.rejection.code;
    },
  );

/** Keeps what 16 bits hold, so that lossless formats return exactly these values. */
const tone = sine(440, 0.25, 0.5, 22_050).map((value) => Math.round(value * 32_768) / 32_768);
const left = [...tone];
const right = left.map((value) => 0 - value);
const stereo = [Float32Array.from(left), Float32Array.from(right)];

describe('a file of another program', () => {
  // Levels as SoX measures them (`sox FILE -n stat`).
  it.each([
    ['[FMT-700]', 'sound.flac', 'flac', 'audio/flac', 16_000, 16, 16_000, 0.0914],
    ['[FMT-700]', 'take.aiff', 'aiff', 'audio/aiff', 11_025, 24, 5_513, 0.1067],
    ['[FMT-701]', 'mu-law.wav', 'wav', 'audio/wav', 8_000, 8, 8_000, 0.0911],
    ['[FMT-701]', 'ms-adpcm.wav', 'wav', 'audio/wav', 11_025, 4, 11_025, 0.0912],
    ['[FMT-701]', 'ima-adpcm.wav', 'wav', 'audio/wav', 11_025, 4, 11_025, 0.0912],
    ['[FMT-707]', 'sound.ogg', 'ogg', 'audio/ogg', 44_100, undefined, 44_100, 0.1044],
    ['[FMT-707]', 'sound.opus', 'opus', 'audio/ogg', 48_000, undefined, 48_000, 0.0868],
    ['[FMT-707]', 'flac.ogg', 'ogg', 'audio/ogg', 11_025, 16, 11_025, 0.0912],
    ['[FMT-708]', 'lossless.m4a', 'm4a', 'audio/mp4', 16_000, 16, 16_000, 0.0914],
    ['[FMT-702]', 'a-law.aifc', 'aiff', 'audio/aiff', 8_000, 8, 8_000, 0.0911],
    ['[FMT-702]', 'ima4.aifc', 'aiff', 'audio/aiff', 11_025, 4, 11_072, 0.0903],
  ])(
    '%s %s is accepted and measured',
    async (_, name, format, contentType, sampleRateHz, bitDepth, frames, rms) => {
      const result = await studio.analyse(join(fixtures, name), join(folder, 'preview'));
      const durationMs = Math.round((frames / sampleRateHz) * 1_000);
      expect(result).toMatchObject({
        accepted: true,
        audio: {
          format,
          contentType,
          sampleRateHz,
          ...(bitDepth && { bitDepth }),
          durationMs,
          waveform: expect.arrayContaining([100]),
        },
      });
      const { audio } = result as Extract<typeof result, { accepted: true }>;
      expect([audio.fingerprint, audio.descriptors, audio.loudnessLufs]).not.toContain(null);
      const [samples = []] = (await decoded(fixture(name))).channels;
      expect(samples).toHaveLength(frames);
      const squares = samples.reduce((sum, value) => sum + value * value, 0);
      expect(Math.sqrt(squares / frames)).toBeCloseTo(rms, 3);
    },
  );

  it.each(['sound.ogg', 'sound.opus', 'flac.ogg'])(
    '[FMT-707] %s twice in one file is one sound of both',
    async (name) => {
      const once = await decoded(fixture(name));
      const twice = await decoded(Buffer.concat([fixture(name), fixture(name)]));
      expect(twice).toEqual({ ...once, channels: once.channels.map((samples) => [...samples, ...samples]) });
    },
  );

  it('[FMT-707] a mono stream before a stereo one fills both channels', async () => {
    const [mono, stereo] = [await decoded(fixture('mono.ogg')), await decoded(fixture('sound.ogg'))];
    const { channels } = await decoded(Buffer.concat([fixture('mono.ogg'), fixture('sound.ogg')]));
    expect(channels).toEqual(
      stereo.channels.map((samples) => [...(mono.channels[0] as number[]), ...samples]),
    );
  });

  // FFmpeg states the first position of the Vorbis 128 samples too high. SoX ends as many before the end, too.
  it.each([
    ['ogg', 43_972],
    ['opus', 48_000],
  ])(
    '[FMT-709] an %s file whose positions begin late is read from its first packet on',
    async (kind, frames) => {
      const sound = await decoded(fixture(`sound.${kind}`));
      const late = { ...sound, channels: sound.channels.map((samples) => samples.slice(0, frames)) };
      expect(await decoded(fixture(`late.${kind}`))).toEqual(late);
      const { channels } = await decoded(Buffer.concat([fixture(`late.${kind}`), fixture(`sound.${kind}`)]));
      expect(channels).toEqual(
        late.channels.map((samples, at) => [...samples, ...(sound.channels[at] ?? [])]),
      );
      expect(channels[0]).toHaveLength(frames + (sound.channels[0]?.length ?? 0));
    },
  );

  it('[FMT-708] ALAC decodes to the samples of the FLAC that it was made from', async () => {
    const [{ channels }, flac] = [
      await decoded(fixture('lossless.m4a')),
      await decoded(fixture('sound.flac')),
    ];
    expect(channels).toEqual(flac.channels);
  });

  it('[FMT-701] a WAV that holds an Ogg file is read', async () => {
    const ogg = fixture('sound.ogg');
    const wav = wavFile(stereo, {});
    wav.writeUInt16LE(0x674f, 20);
    const header = wav.subarray(0, 44);
    header.writeUInt32LE(ogg.length, 40);
    const { channels } = await decoded(ogg);
    expect(await decoded(Buffer.concat([header, ogg]))).toMatchObject({ format: 'wav', channels });
  });

  it('[FMT-707] an Ogg without a page that says it is the last ends where its last page says', async () => {
    const bytes = fixture('sound.opus');
    const { channels } = await decoded(bytes.subarray(0, bytes.lastIndexOf('OggS')));
    const whole = await decoded(bytes);
    expect(channels[0]?.length).toBe(48_000 - 312);
    expect(channels).toEqual(whole.channels.map((samples) => samples.slice(0, channels[0]?.length)));
  });

  it('[FMT-700] FLAC decodes to the same samples whether or not its header states the length', async () => {
    const bytes = fixture('sound.flac');
    const whole = await decoded(bytes);
    expect(whole.channels[0]).toHaveLength(16_000);
    const piped = Buffer.from(bytes);
    piped.fill(0, 22, 26);
    expect(await decoded(piped)).toEqual(whole);
    expect(await decoded(Buffer.concat([bytes, Buffer.from('TAG'), Buffer.alloc(125)]))).toEqual(whole);
    expect(await decoded(Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), bytes]))).toEqual(
      whole,
    );
  });
});

describe('AIFF', () => {
  it.each([
    ['AIFF 8-bit', { bitDepth: 8 }, 8],
    ['AIFF 16-bit', {}, 16],
    ['AIFF 20-bit', { bitDepth: 20 }, 20],
    ['AIFF 24-bit', { bitDepth: 24 }, 24],
    ['AIFF 32-bit', { bitDepth: 32 }, 32],
    ['AIFF-C little-endian', { compression: 'sowt' }, 16],
    ['AIFF-C unsigned', { compression: 'raw ', bitDepth: 8 }, 8],
    ['AIFF-C float', { compression: 'fl32', bitDepth: 32 }, 32],
    ['AIFF-C double', { compression: 'FL64', bitDepth: 64 }, 64],
  ])('[FMT-702] reads %s', async (_, options, bitDepth) => {
    const tolerance = bitDepth === 8 ? 1 / 128 : 0;
    for (const isSoundFirst of [false, true]) {
      const audio = await decoded(aiffFile(stereo, { ...options, isSoundFirst }));
      expect(audio).toMatchObject({ format: 'aiff', sampleRateHz: 22_050, bitDepth });
      for (const [at, wanted] of [left, right].entries()) {
        const got = audio.channels[at] as number[];
        expect(got).toHaveLength(wanted.length);
        expect(got.every((value, n) => Math.abs(value - (wanted[n] as number)) <= tolerance)).toBe(true);
      }
    }
  });

  it('[FMT-706] names the compression of an AIFF-C that it cannot read', async () => {
    expect(await reasonOf(aiffFile(stereo, { compression: 'MAC3' }))).toBe(
      'AIFF-C files with the compression “MAC3” are not supported',
    );
  });
});

describe('WAV', () => {
  it('[FMT-701] reads 20 bits in the upper part of 3 bytes', async () => {
    const bytes = wavFile(stereo, { bitDepth: 24, rateHz: 22_050 });
    bytes.writeUInt16LE(20, 34);
    expect(await decoded(bytes)).toMatchObject({ bitDepth: 20, channels: [left, right] });
  });

  it('[FMT-706] names the codec of a WAV that it cannot read', async () => {
    const bytes = wavFile(stereo);
    bytes.writeUInt16LE(0x31, 20);
    expect(await reasonOf(bytes)).toBe('this kind of WAV (codec 49, 16 bits) is not supported');
  });
});

describe('damage', () => {
  const flac = fixture('sound.flac');
  const aiff = aiffFile(stereo);
  const flipped = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] as number) ^ 0x10;
    return copy;
  };
  /** Returns the FLAC with another number of samples in its header. */
  const claiming = (samples: number) => {
    const copy = Buffer.from(flac);
    copy.writeUInt32BE(samples, 22);
    return copy;
  };
  const [ogg, opus] = [fixture('sound.ogg'), fixture('sound.opus')];
  /** Returns pages with right checksums, whose first codebook claims 65,535 dimensions of 16 million entries. */
  const absurd = () => {
    const packet = (head: string, more = Buffer.alloc(0)) =>
      Buffer.concat([Buffer.from(head, 'latin1'), more]);
    const identification = Buffer.alloc(23);
    identification.writeUInt8(2, 4);
    identification.writeUInt32LE(44_100, 5);
    identification.writeUInt8(0xb8, 21);
    identification.writeUInt8(1, 22);
    const codebook = Buffer.concat([Buffer.of(0, 0x42, 0x43, 0x56), Buffer.alloc(5, 255), Buffer.alloc(64)]);
    const bytes = pagesOf([
      { packets: [packet('\x01vorbis', identification)], isFirst: true },
      { packets: [packet('\x03vorbis', Buffer.alloc(9)), packet('\x05vorbis', codebook)] },
      { packets: [Buffer.alloc(20)], endsAt: 1_000 },
    ]);
    return bytes;
  };
  it.each<[string, Buffer, string]>([
    ['a FLAC cut in the middle', flac.subarray(0, flac.length / 2), 'the file ends early'],
    ['a FLAC without its last byte', flac.subarray(0, -1), 'the file ends early'],
    ['a FLAC with one wrong bit', flipped(flac, flac.length >> 1), 'the file is damaged'],
    ['a FLAC that claims more samples', claiming(20_000), 'the file ends early'],
    ['a FLAC that claims fewer samples', claiming(12_000), 'the header contradicts the audio'],
    ['an Ogg cut in the middle', ogg.subarray(0, ogg.length >> 1), 'the file ends early'],
    ['an Ogg with one wrong bit', flipped(ogg, ogg.length >> 1), 'the file is damaged'],
    ['an Ogg of headers alone', ogg.subarray(0, ogg.lastIndexOf('OggS')), 'the file ends early'],
    [
      'two Ogg streams side by side',
      Buffer.concat([opus.subarray(0, opus.indexOf('OggS', 4)), ogg]),
      'Ogg files with streams side by side are not supported',
    ],
    [
      'two Ogg streams of different formats',
      Buffer.concat([opus, ogg]),
      'the streams of the Ogg file have different formats',
    ],
    ['Vorbis with a codebook of 4 TB', absurd(), 'the header is damaged'],
    ['a FLAC that ends in its header', flac.subarray(0, 30), 'the header is damaged'],
    [
      'an ALAC cut in the middle',
      fixture('lossless.m4a').subarray(0, 9_000),
      'there is no sound in the file',
    ],
    [
      'an ALAC of absurd packets',
      (() => {
        const bytes = fixture('lossless.m4a');
        bytes.writeUInt32BE(0x7fffffff, bytes.lastIndexOf('alac') + 8);
        return bytes;
      })(),
      'the header is damaged',
    ],
    ['an AIFF cut in the middle', aiff.subarray(0, aiff.length / 2), 'the file ends early'],
    ['an AIFF that claims more frames', flipped(aiff, 22), 'the file ends early'],
    [
      'an AIFF without channels',
      Buffer.concat([aiff.subarray(0, 20), Buffer.alloc(2), aiff.subarray(22)]),
      'the number of channels is not supported',
    ],
    [
      'an MS ADPCM with a tiny block',
      (() => {
        const copy = fixture('ms-adpcm.wav');
        copy.writeUInt16LE(3, 32);
        return copy;
      })(),
      'the header contradicts itself',
    ],
  ])('[FMT-703] refuses %s', async (_, bytes, reason) => {
    expect(await reasonOf(bytes)).toBe(reason);
  });
});
