// Read once: in a test file each look-up of a global is slow, and a minute has millions of frames.
const { PI, round, sin } = Math;

/**
 * A 16-bit WAV file.
 * @param valueAt the value of a frame, from -1 to 1
 * @param channels all have the same frames
 */
export function wavFrom(
  frames: number,
  rateHz: number,
  valueAt: (frame: number) => number,
  channels = 1,
): Buffer {
  const wav = Buffer.alloc(44 + frames * channels * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + frames * channels * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(rateHz, 24);
  wav.writeUInt32LE(rateHz * channels * 2, 28);
  wav.writeUInt16LE(channels * 2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(frames * channels * 2, 40);
  for (let n = 0; n < frames; n += 1) {
    const value = round(32_767 * valueAt(n));
    for (let at = n * channels; at < (n + 1) * channels; at += 1) wav.writeInt16LE(value, 44 + at * 2);
  }
  return wav;
}

/** A 16-bit mono WAV file of a sine with a slow swell: real audio with a known pitch. */
export function wavOf({
  seconds,
  hertz,
  rateHz = 44_100,
}: {
  seconds: number;
  hertz: number;
  rateHz?: number;
}): Buffer {
  return wavFrom(round(seconds * rateHz), rateHz, (n) => {
    const swell = 0.5 + 0.4 * sin((2 * PI * n) / rateHz);
    return (20_000 / 32_767) * swell * sin((2 * PI * hertz * n) / rateHz);
  });
}
