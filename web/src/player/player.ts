import { useSyncExternalStore } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { api } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { currentSession } from '../session/session.js';
import { showAlert } from '../ui/overlays/alerts.js';
import { auditionSettings, onAuditionChange, playbackRateFor } from './audition.js';
import { Player, type PlayerState } from './player-store.js';

/** Adds the sound to the visitor's listening history. A lost entry must not disturb listening. */
async function remember(track: Sample): Promise<void> {
  if (currentSession().status !== 'signed-in') return;
  const body = {
    id: track.id,
    title: track.title,
    artist: track.creator.displayName,
    url: track.previewUrl ?? undefined,
    artwork: track.artworkUrl,
    packSlug: track.pack.slug,
  };
  await api('POST /api/library/history', { body, unattended: true }).catch(() =>
    console.warn('The listening history was not updated.'),
  );
  void invalidate('GET /api/library/history');
}

const VOLUME_KEY = 'volume';

function keepVolume(volume: number): void {
  try {
    localStorage.setItem(VOLUME_KEY, String(volume));
  } catch {
    // Storage is full or blocked: the volume lasts as long as the page.
  }
}

function keptVolume(): number {
  try {
    return Number.parseFloat(localStorage.getItem(VOLUME_KEY) ?? '1');
  } catch {
    // No storage, or the server is rendering the page.
    return 1;
  }
}

export const player = new Player({
  createAudio: () => new Audio(),
  showAlert: (alert) => void showAlert(alert),
  onStarted: (track) => void remember(track),
  rateOf: ({ bpm }) => playbackRateFor(bpm, auditionSettings()),
  playsOn: () => auditionSettings().playsOn,
  keepVolume,
});
player.setVolume(keptVolume());
onAuditionChange(() => player.retune());

/** A part of the player's state. Select primitives, so that a row renders again only when its own part changes. */
export function usePlayer<Part>(select: (state: PlayerState) => Part): Part {
  const part = () => select(player.getState());
  return useSyncExternalStore(player.subscribe, part, part);
}

export type RowPlayback = 'idle' | 'loading' | 'playing' | 'paused';

export const isSounding = (playback: RowPlayback): boolean =>
  playback === 'playing' || playback === 'loading';

export function usePlayback(sampleId: string): RowPlayback {
  return usePlayer(({ currentlyPlaying, isLoading, track, currentTime }) => {
    if (currentlyPlaying === sampleId) return isLoading ? 'loading' : 'playing';
    return track?.id === sampleId && currentTime > 0 ? 'paused' : 'idle';
  });
}

/** Share of the preview played, 0 to 1; null while this sound is not in the player. */
export function useProgress(sampleId: string): number | null {
  return usePlayer(({ track, currentTime, duration, currentlyPlaying }) => {
    if (track?.id !== sampleId || (currentlyPlaying !== sampleId && currentTime === 0)) return null;
    return duration > 0 ? Math.min(1, currentTime / duration) : 0;
  });
}
