import { fileTypeFromFile } from 'file-type';
import { openAdts, openM4a } from './aac.js';
import type { ByteWindow } from './byte-window.js';
import { openMp3 } from './mp3.js';
import { AudioRefused, type AudioLimits, type PcmSource, assertDuration, unreadable } from './pcm.js';
import { openWav } from './wav.js';

/**
 * Opens a file by what its bytes are; its name and whatever the sender says play no part.
 * @throws AudioRefused
 */
export async function openAudio(path: string, bytes: ByteWindow, limits: AudioLimits): Promise<PcmSource> {
  if (bytes.sizeBytes === 0) throw new AudioRefused({ code: 'AudioEmpty' });
  if (bytes.sizeBytes > limits.bytes)
    throw new AudioRefused({ code: 'AudioTooLarge', limitBytes: limits.bytes });
  const source = await openByContent(path, bytes, limits);
  if (source.sampleRateHz < 8_000) throw unreadable('the sample rate is not supported');
  assertDuration(source.expectedFrames, source.sampleRateHz, limits);
  return source;
}

async function openByContent(path: string, bytes: ByteWindow, limits: AudioLimits): Promise<PcmSource> {
  const head = bytes.read(0, 12).toString('latin1');
  // Checked here first: a damaged WAV stays a WAV, whatever a general detector makes of the rest.
  if (/^(RIFF|RF64|BW64)/.test(head) && head.slice(8, 12) === 'WAVE') return openWav(bytes);
  const detected = await fileTypeFromFile(path).catch(() => undefined);
  switch (detected?.ext) {
    case 'mp3':
      return openMp3(bytes);
    case 'aac':
      if (!limits.acceptsAac) throw new AudioRefused({ code: 'UnsupportedAudioType' });
      return openAdts(bytes);
    case 'm4a':
    case 'mp4':
      return openM4a(path, limits);
    default:
      throw new AudioRefused({ code: 'UnsupportedAudioType' });
  }
}
