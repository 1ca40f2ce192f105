import { afterAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OfflineAudioContext } from 'node-web-audio-api';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { usualTempo } from '../../domain/publishing/usual-tempo.js';
import { m4aOfOneChunk } from './mp4.js';
import { RATE, cadence, drumLoop, seeded, sine, wavFile, type WavOptions } from './synthesis.js';

const studio = new WorkerAudioStudio();
const folder = mkdtempSync(join(tmpdir(), 'offcut-audio-'));
const fixtures = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');
const previewPath = join(folder, 'preview.mp3');
afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
});

function analyseBytes(bytes: Buffer, name = 'upload') {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return studio.analyse(path, previewPath);
}

async function accepted(bytes: Buffer) {
  const result = await analyseBytes(bytes);
  if (!result.accepted) throw new Error(JSON.stringify(result.rejection));
  return result.audio;
}

async function acceptedFixture(name: string) {
  const result = await studio.analyse(join(fixtures, name), previewPath);
  if (!result.accepted) throw new Error(JSON.stringify(result.rejection));
  return result.audio;
}

async function decodedPreview(): Promise<AudioBufferLike> {
  const bytes = new Uint8Array(readFileSync(previewPath));
  return new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes.buffer);
}
interface AudioBufferLike {
  duration: number;
  getChannelData(channel: number): Float32Array;
}
const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

describe('WAV', () => {
  const tone = sine(440, 1.5, 0.5);
  const kinds: Array<[string, WavOptions]> = [
    ['8-bit', { bitDepth: 8 }],
    ['16-bit', { bitDepth: 16 }],
    ['24-bit', { bitDepth: 24 }],
    ['32-bit', { bitDepth: 32 }],
    ['float', { bitDepth: 32, isFloat: true }],
    ['double', { bitDepth: 64, isFloat: true }],
    ['extensible 24-bit', { bitDepth: 24, isExtensible: true }],
    ['extensible float', { bitDepth: 32, isFloat: true, isExtensible: true }],
    ['with other chunks of odd length', { extraChunk: Buffer.from('abc') }],
  ];
  it.each(kinds)('reads %s', async (_, options) => {
    const audio = await accepted(wavFile([tone, tone], options));
    expect(audio).toMatchObject({
      format: 'wav',
      contentType: 'audio/wav',
      sampleRateHz: RATE,
      channels: 2,
      bitDepth: options.bitDepth ?? 16,
      durationMs: 1500,
    });
    // A 440 Hz tone of amplitude 0.5 on both channels: −9.03 dB RMS, +3.01 for two channels, about −0.6
    // K-weighted.
    expect(audio.loudnessLufs).toBeGreaterThan(-7.2);
    expect(audio.loudnessLufs).toBeLessThan(-6.2);
  });

  it('reads RF64, whose size stands elsewhere', async () => {
    const sizes = Buffer.alloc(36);
    sizes.write('ds64', 'latin1');
    sizes.writeUInt32LE(28, 4);
    sizes.writeBigUInt64LE(BigInt(tone.length * 2), 16);
    const plain = wavFile([tone], { claimedDataBytes: 0xffffffff });
    const trailing = Buffer.from('LIST\u0004\0\0\0abcd', 'latin1');
    const rf64 = Buffer.concat([
      Buffer.from('RF64'),
      plain.subarray(4, 12),
      sizes,
      plain.subarray(12),
      trailing,
    ]);
    expect(await accepted(rf64)).toMatchObject({ format: 'wav', durationMs: 1500 });
    await expect(accepted(rf64.subarray(0, 30))).rejects.toThrow('AudioUnreadable');
    await expect(accepted(rf64.subarray(0, 20_000))).rejects.toThrow('AudioUnreadable');
  });

  it('reads a stream whose size was never filled in', async () => {
    const audio = await accepted(wavFile([tone], { claimedDataBytes: 0xffffffff }));
    expect(audio.durationMs).toBe(1500);
  });
});

describe('loudness', () => {
  it('reads 0 dBFS at 997 Hz on one channel as −3.01 LUFS, as BS.1770 defines', async () => {
    const audio = await accepted(wavFile([sine(997, 5, 1)], { bitDepth: 24 }));
    expect(audio.loudnessLufs).toBeCloseTo(-3.0, 1);
  });

  it('adds the channels, at another sample rate', async () => {
    const tone = sine(997, 5, 0.1, 48_000);
    const audio = await accepted(wavFile([tone, tone], { bitDepth: 24, rateHz: 48_000 }));
    expect(audio.loudnessLufs).toBeCloseTo(-20.0, 1);
  });

  it('leaves silence out of the measure, says nothing of what nobody hears, and refuses digital silence', async () => {
    const withPause = new Float32Array(RATE * 10);
    withPause.set(sine(997, 5, 1));
    const audio = await accepted(wavFile([withPause], { bitDepth: 24 }));
    expect(audio.loudnessLufs).toBeGreaterThan(-3.6);
    const unheard = await accepted(wavFile([sine(997, 1, 2 ** -20)], { bitDepth: 24 }));
    expect(unheard.loudnessLufs).toBeNull();
    expect(unheard.waveform).toEqual(Array.from({ length: 50 }, () => 0));
    const silent = await analyseBytes(wavFile([new Float32Array(RATE)]));
    expect(silent).toEqual({ accepted: false, rejection: { code: 'AudioEmpty' } });
  });
});

describe('flaws', () => {
  it('[ANA-702] finds clipping and a constant offset, and neither in a loud sound', async () => {
    const flawsOf = async (pcm: Float32Array) => (await accepted(wavFile([sine(220, 1, 0.3), pcm]))).flaws;
    expect(await flawsOf(sine(220, 1, 0.99))).toEqual([]);
    expect(await flawsOf(sine(220, 1, 4).map((value) => Math.max(-1, Math.min(1, value))))).toEqual([
      'clipping',
    ]);
    expect(await flawsOf(sine(220, 1, 0.5).map((value) => value + 0.03))).toEqual(['offset']);
  });
});

describe('suggestions', () => {
  it.each([74, 90, 97, 120, 128, 140, 155, 174])('hears a drum loop at %d bpm', async (bpm) => {
    const { tempo } = await accepted(wavFile([drumLoop(bpm, 2, bpm)]));
    // The octave is a matter of taste; the beat is not.
    expect([bpm, bpm / 2]).toContain(tempo?.bpm);
    expect(tempo?.confidence).toBeGreaterThan(0.3);
  });

  it.each([
    [48, 'Major', 'C Major'],
    [54, 'Major', 'F# Major'],
    [57, 'Minor', 'A Minor'],
    [51, 'Minor', 'Eb Minor'],
  ] as const)('hears the key of a cadence on MIDI note %d %s', async (tonic, scale, label) => {
    const { key } = await accepted(wavFile([cadence(tonic, scale, 4)]));
    expect(key?.key).toBe(label);
  });

  it('takes a pad of whole bars by its length, but not one of whole seconds', async () => {
    const pad = await accepted(wavFile([sine(220, (16 * 60) / 92, 0.3)]));
    expect(pad.tempo?.bpm).toBe(92);
    const recording = await accepted(wavFile([sine(220, 10, 0.3)]));
    expect(recording.tempo?.confidence ?? 0).toBeLessThan(0.25);
  });

  it('[ANA-700] suggests no key for drums and cymbals, and no tempo for a hit, a cymbal and the noise of a room', async () => {
    const random = seeded(3);
    const noise = (seconds: number, decay: number) =>
      Float32Array.from(
        { length: RATE * seconds },
        (_, at) => 0.5 * Math.exp((-decay * at) / RATE) * (random() * 2 - 1),
      );
    const ring = [411, 587.3, 733, 1_021].map((hertz) => sine(hertz, 4, 0.2));
    const cymbal = noise(4, 1.2).map(
      (value, at) =>
        value + Math.exp((-1.5 * at) / RATE) * ring.reduce((sum, tone) => sum + (tone[at] as number), 0),
    );
    const room = noise(8.3, 0).map((value, at) => value * (0.1 + 0.03 * Math.sin(at / 31_000)));
    const found = [];
    for (const pcm of [drumLoop(100, 2), drumLoop(100, 1).subarray(0, RATE / 3), cymbal, room])
      found.push(await accepted(wavFile([pcm])));
    expect(found.map(({ key }) => (key?.confidence ?? 0) < 0.3)).toEqual([true, true, true, true]);
    expect(found.map(({ tempo }) => tempo?.bpm ?? null)).toEqual([100, null, null, null]);
  });

  it('[ANA-701] takes the octave of a tempo from the genre or the name of the file', async () => {
    const path = join(folder, 'octave.wav');
    writeFileSync(path, wavFile([drumLoop(86, 2)]));
    const heard = async (filename: string, genre: string) => {
      const usualBpm = usualTempo(filename, genre);
      const found = await studio.analyse(path, `${path}.mp3`, { usualBpm });
      return found.accepted ? found.audio.tempo?.bpm : undefined;
    };
    expect(await heard('Amen.wav', 'Experimental')).toBe(86);
    expect(await heard('Amen.wav', 'Boom-Bap')).toBe(86);
    expect(await heard('DnB_Amen.wav', 'Boom-Bap')).toBe(172);
    expect(usualTempo('Trapeze.wav', 'Ambient')).toBeUndefined();
  });
});

describe('waveform', () => {
  it('draws 50 and 400 values over the sound, loudest at 100', async () => {
    const swell = sine(300, 10, 0.8).map((value, index) => value * (index / (10 * RATE)));
    const audio = await accepted(wavFile([swell]));
    expect(audio.waveform).toHaveLength(50);
    expect(audio.waveformFine).toHaveLength(400);
    expect(Math.max(...audio.waveform)).toBe(100);
    expect(audio.waveform[49]).toBe(100);
    expect(audio.waveform[24]).toBeGreaterThan(40);
    expect(audio.waveform[24]).toBeLessThan(60);
    expect([...audio.waveform].sort((a, b) => a - b)).toEqual(audio.waveform);
  });

  it('draws the first 60 s of something longer', async () => {
    const long = new Float32Array(8_000 * 90);
    long.set(sine(300, 30, 0.8, 8_000), 8_000 * 60);
    long.set(sine(300, 1, 0.2, 8_000), 0);
    const audio = await accepted(wavFile([long], { rateHz: 8_000 }));
    expect(audio.durationMs).toBe(90_000);
    expect(audio.waveform[0]).toBe(100);
    expect(audio.waveform.slice(2)).toEqual(Array.from({ length: 48 }, () => 0));
  });
});

describe('compressed files that other programs wrote', () => {
  it.each([
    ['cbr.mp3', 'mp3', 24_000, 2_000, -19.3],
    ['vbr.mp3', 'mp3', 44_100, 2_000, -18.6],
    ['mono16k.mp3', 'mp3', 16_000, 2_088, -22.5],
    ['no-tag.mp3', 'mp3', 24_000, 2_064, -19.3],
    ['moov-first.m4a', 'm4a', 44_100, 2_000, -18.8],
    ['moov-last.m4a', 'm4a', 44_100, 2_000, -18.8],
    ['stream.aac', 'aac', 44_100, 2_043, -18.9],
    // Durations and loudness as FFmpeg's ffprobe and ebur128 filter measure them.
  ])('reads %s', async (name, format, sampleRateHz, durationMs, lufs) => {
    const audio = await acceptedFixture(name);
    expect(audio).toMatchObject({ format, sampleRateHz });
    expect(Math.abs(audio.durationMs - durationMs)).toBeLessThanOrEqual(2);
    expect(Math.abs((audio.loudnessLufs as number) - lufs)).toBeLessThanOrEqual(0.2);
    expect(audio.key?.key).toBe('A Minor');
    if (['cbr.mp3', 'vbr.mp3', 'moov-last.m4a'].includes(name)) expect(audio.tempo?.bpm).toBe(120);
  });
});

describe('files with something around the sound, or in it', () => {
  const noise = (length: number) =>
    Buffer.from(Array.from({ length }, seeded(7)).map((value) => value * 256));
  const id3 = Buffer.concat([Buffer.from('ID3\u0004\0\0\0\u0012\u004f\u0040', 'latin1'), noise(305_088)]);
  const fixture = (name: string) => readFileSync(join(fixtures, name));
  it.each([
    ['an MP3 behind a cover in its tags', 'vbr.mp3', (sound: Buffer) => Buffer.concat([id3, sound]), 2_000],
    ['an MP3 behind two tags', 'vbr.mp3', (sound: Buffer) => Buffer.concat([id3, id3, sound]), 2_000],
    [
      'AAC behind a tag',
      'stream.aac',
      (sound: Buffer) => Buffer.concat([id3.subarray(0, 6), Buffer.alloc(4), sound]),
      2_043,
    ],
    [
      'an MP3 before a tag',
      'no-tag.mp3',
      (sound: Buffer) => Buffer.concat([sound, Buffer.from('APETAGEX'), noise(15_000)]),
      2_064,
    ],
    // Damage removes the frames that it hits, but no later ones.
    ['a damaged MP3', 'no-tag.mp3', (sound: Buffer) => damaged(sound, 8_000), 1_920],
    [
      'damaged AAC',
      'stream.aac',
      (sound: Buffer) => damaged(Buffer.concat(Array.from({ length: 9 }, () => sound)), 6_000),
      18_228,
    ],
  ])('reads %s', async (_, name, around, durationMs) => {
    const path = join(folder, 'around');
    writeFileSync(path, around(fixture(name)));
    const result = await studio.analyse(path, previewPath);
    expect(result).toMatchObject({ accepted: true, audio: { format: name.split('.')[1] } });
    expect(result.accepted && Math.abs(result.audio.durationMs - durationMs)).toBeLessThanOrEqual(2);
  });
  const damaged = (sound: Buffer, at: number) =>
    Buffer.concat([sound.subarray(0, at), Buffer.alloc(900, 7), sound.subarray(at + 900)]);
});

describe('preview', () => {
  it('[PLAY-11] is at most 60 s, sounds, and fades where it was cut', async () => {
    const audio = await accepted(wavFile([sine(440, 75, 0.5, 16_000)], { rateHz: 16_000 }));
    expect(audio.durationMs).toBe(75_000);
    const preview = await decodedPreview();
    expect(preview.duration).toBeLessThanOrEqual(60);
    expect(preview.duration).toBeGreaterThan(59.5);
    const samples = preview.getChannelData(0);
    expect(rms(samples.subarray(RATE, 2 * RATE))).toBeGreaterThan(0.3);
    expect(rms(samples.subarray(samples.length - RATE / 5))).toBeLessThan(0.08);
  });

  it('keeps a short sound whole, without a fade', async () => {
    await accepted(wavFile([sine(440, 2, 0.5), sine(660, 2, 0.5)]));
    const preview = await decodedPreview();
    expect(preview.duration).toBeGreaterThanOrEqual(2);
    expect(preview.duration).toBeLessThan(2.15);
    expect(rms(preview.getChannelData(0).subarray(1.8 * RATE, 1.95 * RATE))).toBeGreaterThan(0.3);
  });

  it('folds surround to stereo', async () => {
    const tone = sine(440, 1, 0.5);
    const audio = await accepted(wavFile([tone, tone, tone, tone, tone, tone]));
    expect(audio.channels).toBe(6);
    expect(rms((await decodedPreview()).getChannelData(0))).toBeGreaterThan(0.2);
  });
});

describe('refusals', () => {
  const good = wavFile([sine(440, 1, 0.5)]);
  const cases: Array<[string, () => Buffer, object]> = [
    ['nothing', () => Buffer.alloc(0), { code: 'AudioEmpty' }],
    ['a WAV without samples', () => wavFile([new Float32Array(0)]), { code: 'AudioEmpty' }],
    ['text', () => Buffer.from('this is no sound at all\n'.repeat(50)), { code: 'UnsupportedAudioType' }],
    [
      'a picture',
      () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      { code: 'UnsupportedAudioType' },
    ],
    ['a film', () => readFileSync(join(fixtures, 'video.mp4')), { code: 'UnsupportedAudioType' }],
    ...['qt  ', 'M4V ', 'M4B ', '3gp4', 'heic'].map((brand): [string, () => Buffer, object] => [
      `an MP4 that calls itself ${brand.trim()}`,
      () => patched('moov-first.m4a', 8, Buffer.from(brand)),
      { code: 'UnsupportedAudioType' },
    ]),
    ['MPEG Layer II', () => patched('no-tag.mp3', 1, Buffer.of(0xf5)), { code: 'UnsupportedAudioType' }],
    [
      'a tag and no more',
      () => Buffer.from('ID3\u0003\0\0\0\u0009\0\0cover', 'latin1'),
      { code: 'AudioUnreadable' },
    ],
    [
      'a codec we cannot decode',
      () => {
        const bytes = readFileSync(join(fixtures, 'lossless.m4a'));
        bytes.write('ac-3', bytes.indexOf('alac'), 'latin1');
        return bytes;
      },
      { code: 'AudioUnreadable' },
    ],
    ['a truncated WAV', () => good.subarray(0, good.length / 2), { code: 'AudioUnreadable' }],
    ['a WAV that ends in its header', () => good.subarray(0, 30), { code: 'AudioUnreadable' }],
    ['a truncated MP3', () => half(readFileSync(join(fixtures, 'vbr.mp3'))), { code: 'AudioUnreadable' }],
    [
      'a truncated M4A',
      () => half(readFileSync(join(fixtures, 'moov-first.m4a'))),
      { code: 'AudioUnreadable' },
    ],
    [
      'an M4A without its index',
      () => half(readFileSync(join(fixtures, 'moov-last.m4a'))),
      { code: 'AudioUnreadable' },
    ],
    [
      'an MP3 tag and noise',
      () => Buffer.concat([Buffer.from('ID3\u0004\0\0\0\0\0\0', 'latin1'), good.subarray(44)]),
      {},
    ],
    [
      'a WAV that claims more than it has',
      () => wavFile([sine(440, 1, 0.5)], { claimedDataBytes: 40_000_000 }),
      { code: 'AudioUnreadable' },
    ],
  ];
  it.each(cases)('refuses %s', async (_, bytes, rejection) => {
    const result = await analyseBytes(bytes());
    expect(result).toMatchObject({ accepted: false, rejection });
    expect(existsSync(previewPath)).toBe(false);
  });

  it('refuses more than 15 minutes by the header, before decoding', async () => {
    // Decoding would find fewer samples than the header states.
    const claiming = (seconds: number) => {
      const bytes = readFileSync(join(fixtures, 'sound.flac'));
      const rateHz = bytes.readUInt32BE(18) >>> 12;
      bytes.writeUInt32BE(rateHz * seconds, 22);
      return analyseBytes(bytes);
    };
    expect(await claiming(900)).toMatchObject({ rejection: { code: 'AudioUnreadable' } });
    expect(await claiming(901)).toEqual({
      accepted: false,
      rejection: { code: 'AudioTooLong', limitMs: 900_000, durationMs: 901_000 },
    });
  });

  it('refuses a long M4A as too long, also where all of it lies in one chunk', async () => {
    const path = join(folder, 'long.m4a');
    writeFileSync(path, m4aOfOneChunk(readFileSync(join(fixtures, 'moov-last.m4a')), 100_000));
    expect(await studio.analyse(path, previewPath)).toEqual({
      accepted: false,
      rejection: { code: 'AudioTooLong', limitMs: 900_000, durationMs: expect.any(Number) },
    });
  });

  it('refuses more than 200 MiB without reading it', async () => {
    const path = join(folder, 'huge');
    writeFileSync(path, good);
    const { truncateSync } = await import('node:fs');
    truncateSync(path, 200 * 1024 * 1024 + 1);
    expect(await studio.analyse(path, previewPath)).toEqual({
      accepted: false,
      rejection: { code: 'AudioTooLarge', limitBytes: 200 * 1024 * 1024 },
    });
    rmSync(path);
  });

  it('believes the content, not the name', async () => {
    const result = await analyseBytes(readFileSync(join(fixtures, 'vbr.mp3')), 'song.wav');
    expect(result).toMatchObject({ accepted: true, audio: { format: 'mp3' } });
  });
});

describe('workers', () => {
  it('ends a file that takes too long and goes on with the next', async () => {
    const hasty = new WorkerAudioStudio({ threads: 1, timeLimitMs: 30 });
    const path = join(folder, 'slow.wav');
    writeFileSync(path, wavFile([sine(440, 60, 0.5)]));
    expect(await hasty.analyse(path, previewPath)).toMatchObject({
      accepted: false,
      rejection: { code: 'AudioUnreadable' },
    });
    expect(existsSync(previewPath)).toBe(false);
    await hasty.close();
    const patient = new WorkerAudioStudio({ threads: 1 });
    const results = await Promise.all(
      [1, 2, 3].map((n) => patient.analyse(join(fixtures, 'vbr.mp3'), join(folder, `p${n}.mp3`))),
    );
    expect(results.every((result) => result.accepted)).toBe(true);
    await patient.close();
  });

  it('[OPS-271] ends what is cancelled, at work or waiting, leaves no preview, and goes on with the next', async () => {
    const busy = new WorkerAudioStudio({ threads: 1 });
    const path = join(folder, 'cancelled.wav');
    writeFileSync(path, wavFile([sine(440, 60, 0.5)]));
    const [first, second] = [new AbortController(), new AbortController()];
    let isBegun = () => {};
    const begun = new Promise<void>((resolve) => (isBegun = resolve));
    const atWork = busy.analyse(path, previewPath, { signal: first.signal, onProgress: () => isBegun() });
    const waiting = busy.analyse(path, join(folder, 'second.mp3'), { signal: second.signal });
    const last = busy.analyse(join(fixtures, 'vbr.mp3'), join(folder, 'last.mp3'));
    await begun;
    second.abort(new Error('not wanted'));
    await expect(waiting).rejects.toThrow('not wanted');
    first.abort(new Error('cancelled'));
    await expect(atWork).rejects.toThrow('cancelled');
    expect(existsSync(previewPath)).toBe(false);
    expect((await last).accepted).toBe(true);
    expect(existsSync(join(folder, 'second.mp3'))).toBe(false);
    const never = busy.analyse(path, previewPath, { signal: AbortSignal.abort(new Error('too late')) });
    await expect(never).rejects.toThrow('too late');
    await busy.close();
  });

  it('[OPS-72] takes owners in turn, and refuses who has half of all that waits', async () => {
    const busy = new WorkerAudioStudio({ threads: 1, waiting: 6 });
    const path = join(folder, 'shared');
    writeFileSync(path, wavFile([sine(440, 1, 0.5)]));
    const done: string[] = [];
    const send = (owner: string, n: number) =>
      busy.analyse(path, join(folder, `${owner}${n}.mp3`), { owner }).then(
        () => void done.push(`${owner}${n}`),
        (error: Error) => void done.push(`${owner}${n} ${error.name}`),
      );
    const sent = [0, 1, 2, 3, 4].map((n) => send('many', n));
    await Promise.all([...sent, send('few', 0)]);
    expect(done).toEqual(['many4 TooBusy', 'many0', 'few0', 'many1', 'many2', 'many3']);
    await busy.close();
  });

  it('tells how far it is', async () => {
    const seen: Array<[string, number]> = [];
    const path = join(folder, 'progress.wav');
    writeFileSync(path, wavFile([sine(440, 20, 0.5)]));
    await studio.analyse(path, previewPath, { onProgress: (phase, share) => seen.push([phase, share]) });
    expect([...new Set(seen.map(([phase]) => phase))]).toEqual(['decoding', 'analysing', 'encoding']);
    expect(seen.at(-1)).toEqual(['encoding', 1]);
  });
});

function patched(name: string, at: number, bytes: Buffer): Buffer {
  const file = readFileSync(join(fixtures, name));
  bytes.copy(file, at);
  return file;
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}
