import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MS } from '../../../../application/publishing/values.js';
import { mixToMono } from '../analyse.js';
import { ByteWindow } from '../byte-window.js';
import { MonoTrack } from '../mono-track.js';
import { openAudio } from '../open-audio.js';
import type { PcmSource } from '../pcm.js';

const LIMITS = { bytes: AUDIO_LIMIT_BYTES, durationMs: AUDIO_LIMIT_MS, acceptsAac: true };

/** Returns the first minute of a file at the analysis rate. @throws AudioRefused */
export async function listen(path: string): Promise<Float32Array> {
  const bytes = new ByteWindow(path);
  let source: PcmSource | undefined;
  try {
    source = await openAudio(bytes, LIMITS);
    const track = new MonoTrack(source.sampleRateHz);
    for await (const block of source.blocks()) track.add(mixToMono(block));
    return track.finish();
  } finally {
    source?.close?.();
    bytes.close();
  }
}
