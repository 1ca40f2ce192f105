import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MS } from '../../../../application/publishing/values.js';
import { mixToMono, MonoTrack } from '../../../../domain/catalogue/sound/mono-track.js';
import { withAudio } from '../open-audio.js';

const LIMITS = { bytes: AUDIO_LIMIT_BYTES, durationMs: AUDIO_LIMIT_MS };

/** Returns the first minute of a file at the analysis rate. @throws AudioRefused */
export function listen(path: string): Promise<Float32Array> {
  return withAudio(path, LIMITS, async (source) => {
    const track = new MonoTrack(source.sampleRateHz);
    for await (const block of source.blocks()) track.add(mixToMono(block));
    return track.finish();
  });
}
