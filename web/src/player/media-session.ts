import { mediaAddress, narrowWidths } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';
import { SEEK_STEP_SECONDS } from './player-store.js';
import { player } from './player.js';

/** The available widths of a picture, so that a lock screen need not fetch the widest. */
function artworkOf(address: string | null): MediaImage[] {
  if (address === null) return [];
  const narrow = narrowWidths(address).map(({ name, widthPx }) => ({
    src: mediaAddress(name, mediaBase()),
    sizes: `${widthPx}x${widthPx}`,
    type: 'image/webp',
  }));
  return narrow.length > 0 ? narrow : [{ src: address }];
}

/** Shows the sound on lock screens and handles media keys until the returned function is called. */
export function followMediaSession(): () => void {
  if (!('mediaSession' in navigator)) return () => undefined;
  const session = navigator.mediaSession;
  let shown: string | null = null;
  let shownAt = '';
  /** Between calls, the browser advances the position by itself. */
  const showPlace = () => {
    const { currentlyPlaying, currentTime, duration } = player.getState();
    const position = Math.min(currentTime, duration);
    const place = `${currentlyPlaying} ${Math.floor(position)} ${duration}`;
    if (place === shownAt) return;
    shownAt = place;
    session.setPositionState?.({ duration, position });
  };
  const sync = () => {
    const { track, currentlyPlaying } = player.getState();
    session.playbackState = currentlyPlaying ? 'playing' : track ? 'paused' : 'none';
    if (track) showPlace();
    if (!track || track.id === shown) return;
    shown = track.id;
    session.metadata = new MediaMetadata({
      title: track.title,
      artist: track.creator.displayName,
      album: track.pack.title,
      artwork: artworkOf(track.artworkUrl),
    });
  };
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => player.toggle()],
    ['pause', () => player.pause()],
    ['nexttrack', () => player.skip(1)],
    ['previoustrack', () => player.skip(-1)],
    ['seekto', ({ seekTime }) => player.seek(seekTime ?? 0)],
    ['seekforward', () => player.seek(player.getState().currentTime + SEEK_STEP_SECONDS)],
    ['seekbackward', () => player.seek(player.getState().currentTime - SEEK_STEP_SECONDS)],
  ];
  for (const [action, handler] of handlers) session.setActionHandler(action, handler);
  sync();
  return player.subscribe(sync);
}
