import { held } from '../held.js';
import type { AnalysedSound } from './analyse.js';

/** The sound that the visitor searches by. The page forgets it when it is closed. */
export type OwnSound = { name: string } & (
  | { status: 'analysing' }
  | { status: 'refused'; reason: string }
  | ({ status: 'ready'; url: string } & AnalysedSound)
);

const sound = held<OwnSound | null>(null);

export const { get: ownSound, use: useOwnSound } = sound;

export function forgetOwnSound(): void {
  const before = sound.get();
  if (before?.status === 'ready') URL.revokeObjectURL(before.url);
  sound.set(null);
}

export function refuseOwnSound(name: string, reason: string): void {
  forgetOwnSound();
  sound.set({ status: 'refused', name, reason });
}

/** Analyses a file and searches by it. A later file replaces an earlier one that is still being analysed. */
export async function findByFile(file: Blob, name: string): Promise<void> {
  forgetOwnSound();
  const analysing: OwnSound = { status: 'analysing', name };
  sound.set(analysing);
  const result = await analysed(file, name);
  if (sound.get() === analysing) sound.set(result);
  else if (result.status === 'ready') URL.revokeObjectURL(result.url);
}

async function analysed(file: Blob, name: string): Promise<OwnSound> {
  try {
    const { analyse } = await import('./analyse.js');
    const result = await analyse(file);
    if ('refused' in result) return { status: 'refused', name, reason: result.refused };
    return { status: 'ready', name, url: URL.createObjectURL(file), ...result };
  } catch {
    return { status: 'refused', name, reason: 'It could not be analysed. Try again.' };
  }
}
