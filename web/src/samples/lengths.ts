import { useEffect, useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';

/** Milliseconds by file, from its own header; 0 if the header has no length. */
const read = new Map<string, Promise<number>>();

function lengthOf(url: string): Promise<number> {
  const known = read.get(url);
  if (known) return known;
  const reading = new Promise<number>((resolve) => {
    const audio = new Audio();
    audio.preload = 'metadata';
    audio.addEventListener('loadedmetadata', () =>
      resolve(Number.isFinite(audio.duration) ? audio.duration * 1_000 : 0),
    );
    audio.addEventListener('error', () => resolve(0));
    audio.src = url;
  });
  read.set(url, reading);
  return reading;
}

/** The length of a sample in milliseconds: from the server, or else from the audio file. */
export function useLengthMs(sample: Pick<Sample, 'durationMs' | 'previewUrl'>): number {
  const { durationMs, previewUrl } = sample;
  const [foundMs, setFoundMs] = useState(0);
  useEffect(() => {
    if (durationMs > 0 || !previewUrl) return;
    let stale = false;
    void lengthOf(previewUrl).then((ms) => {
      if (!stale) setFoundMs(ms);
    });
    return () => {
      stale = true;
    };
  }, [durationMs, previewUrl]);
  return durationMs > 0 ? durationMs : foundMs;
}
