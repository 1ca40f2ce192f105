import './player.css';
import { Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { packPathOf, paths } from '../paths.js';
import { CollectButton } from '../collections/collect-button.js';
import { ProjectButton } from '../project/project-button.js';
import { SaveButton } from '../samples/save-button.js';
import { TryButton } from '../workbench/try-button.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { AuditionButton } from './audition-button.js';
import { DownloadButton } from './download-button.js';
import { Heard } from './heard.js';
import { Origin, Seek, Transport, Volume } from './transport.js';
import { player, useProgress, usePlayer } from './player.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { mediaAddress, narrowWidths } from '../../../application/media/values.js';
import { mediaBase } from '../api/page-settings.js';
import { SEEK_STEP_SECONDS } from './player-store.js';

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

/** Shows the sound on lock screens, and handles media keys, until the returned function is called. */
function followMediaSession(): () => void {
  if (!('mediaSession' in navigator)) return () => undefined;
  const session = navigator.mediaSession;
  let shown: string | null = null;
  let shownAt = '';
  /** Reports the position about once a second, because the browser advances it between two reports. */
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
  const stop = player.subscribe(sync);
  return () => {
    stop();
    for (const [action] of handlers) session.setActionHandler(action, null);
    session.metadata = null;
    session.playbackState = 'none';
  };
}

const AuditionSheet = lazyWithPreload(() => import('./audition-sheet.js'));

/** On phones, the sound's name in the bar opens the whole player, which has links to the creator and the pack. */
function PlayerOpener({ track }: { track: Sample }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="min-h-11 min-w-0 flex-1 text-left"
        aria-haspopup="dialog"
        aria-label={`Open the player: ${track.title} by ${track.creator.displayName}`}
        onClick={() => setOpen(true)}
      >
        <span className="block truncate text-md font-semibold">{track.title}</span>
        <span className="block truncate text-muted">{track.creator.displayName}</span>
      </button>
      <Suspense>{open && <AuditionSheet track={track} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** Connects the player with the media session, and shows the player bar unless `hidden`. */
export default function PlayerDock({ hidden = false }) {
  const track = usePlayer((state) => state.track);
  useEffect(followMediaSession, []);
  if (!track || hidden) return null;
  return <PlayerBar track={track} />;
}

/** The progress line of the player bar on phones. A separate component, because it renders several times a second. */
function Line({ track }: { track: Sample }) {
  const progress = useProgress(track.id) ?? 0;
  return (
    <span
      className="absolute -top-px left-0 h-0.75 bg-mark md:hidden"
      style={{ width: `${progress * 100}%` }}
    />
  );
}

function PlayerBar({ track }: { track: Sample }) {
  const inMini = useMedia('(width < 768px)');
  const isKept = track.onSale !== false;
  return (
    <section aria-label="Player" className="player fixed z-30 grid items-center">
      <Line track={track} />
      <div className="flex min-w-0 items-center gap-3">
        <Link
          to={packPathOf(track)}
          className="w-11 flex-none md:w-13.5"
          aria-label={`Open pack ${track.pack.title}`}
        >
          <Cover {...coverOf(track)} size="small" eager />
        </Link>
        {inMini ? (
          <PlayerOpener track={track} />
        ) : (
          <div className="min-w-0 flex-1">
            <p className="truncate text-md font-semibold">
              {isKept ? (
                <Link to={paths.sample(track.id)} className="no-underline hover:underline">
                  {track.title}
                </Link>
              ) : (
                track.title
              )}
            </p>
            <p className="truncate text-muted">
              <Origin track={track} />
            </p>
          </div>
        )}
        {isKept && (
          <>
            <span className="max-md:hidden">
              <SaveButton sample={track} place="list" />
            </span>
            <CollectButton sample={track} className="row-icon max-lg:hidden" />
            <TryButton samples={[track]} about={track.title} className="row-icon max-lg:hidden" />
          </>
        )}
      </div>
      <Transport track={track} />
      <Seek track={track} />
      <div className="flex justify-end gap-3.5 max-lg:*:not-last:hidden max-md:order-1 max-md:-mx-2 items-center">
        <Heard track={track} />
        <AuditionButton track={track} />
      </div>
      <ProjectButton className="w-33 xl:w-43 max-lg:hidden" />
      <DownloadButton track={track} className="player-download" labelClass="max-lg:sr-only" />
      <Volume />
    </section>
  );
}
