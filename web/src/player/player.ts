import { useSyncExternalStore } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { api } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { keep, kept } from '../kept.js';
import { currentSession } from '../session/session.js';
import { showAlert } from '../ui/overlays/alerts.js';
import { currentProject, onProjectChange } from '../project/project.js';
import { fetchAhead } from '../shell/lazy-with-preload.js';
import { auditionSettings, onAuditionChange, onOriginalChange, playsOriginal } from './audition.js';
import { Player, type PlayerState } from './player-store.js';

/** Adds the sound to the listening history of a signed-in visitor. A failure is only logged. */
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

/** Loaded once the visitor opens a project, because most visitors have none. */
let tuningOf: typeof import('./tuning.js').tuningOf | undefined;

export const player = new Player({
  createAudio: () => new Audio(),
  showAlert: (alert) => void showAlert(alert),
  onHeard: (track) => void remember(track),
  tuningOf: (track) =>
    tuningOf?.(track, currentProject(), {
      playsOriginal: playsOriginal(),
      playsOn: auditionSettings().playsOn,
    }),
  createTuned: async () => {
    const part = await fetchAhead(() => import('./stretch/open.js'));
    if (!part) throw new Error('The files were not loaded.');
    return part.openStretchedAudio();
  },
  playsOn: () => auditionSettings().playsOn,
  keepVolume: (volume) => keep(VOLUME_KEY, volume),
});
player.setVolume(Number(kept(VOLUME_KEY) ?? 1));
for (const onChange of [onAuditionChange, onOriginalChange]) onChange(() => player.retune());

async function followProject(): Promise<void> {
  if (currentProject()) tuningOf ??= (await fetchAhead(() => import('./tuning.js')))?.tuningOf;
  player.retune();
}
onProjectChange(() => void followProject());
void followProject();

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

/** The share of the preview that was played, from 0 to 1; null if the sound neither plays nor is paused. */
export function useProgress(sampleId: string): number | null {
  return usePlayer(({ track, currentTime, duration, currentlyPlaying }) => {
    if (track?.id !== sampleId || (currentlyPlaying !== sampleId && currentTime === 0)) return null;
    return duration > 0 ? Math.min(1, currentTime / duration) : 0;
  });
}
