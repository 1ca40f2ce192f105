import { Bookmark, Check, Disc3, Download, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { useOwned } from '../../downloads/owned.js';
import { packPathOf, paths } from '../../paths.js';
import { PlaybackIcon } from '../../player/play-button.js';
import { previewSeconds } from '../../../../application/catalogue/values.js';
import { isSounding, type RowPlayback } from '../../player/player.js';
import { SeekableWaveform } from '../../player/seekable-waveform.js';
import { Avatar } from '../../ui/avatar.js';
import { Sticker, Tag } from '../../ui/badge.js';
import { Cover, coverOf } from '../../ui/sound/cover.js';
import { countOf, formatDuration, formatPosition } from '../../ui/format.js';
import { KeyLabel, TempoLabel } from '../../ui/sound/key-tempo.js';
import { Ruler } from '../../ui/sound/ruler.js';
import { LoadingText, Skeleton } from '../../ui/states.js';
import type { SlideDirection } from './use-deck.js';
import { inksOf } from '../../ui/sound/inks.js';

const TICKS = 60;

/**
 * Draws the vinyl record behind the cover. It turns at 33⅓ rpm; the ring around it shows the progress of the preview.
 */
function Vinyl({ genre, progress, spinning }: { genre: string; progress: number; spinning: boolean }) {
  const [ground, figure] = inksOf(genre);
  return (
    <svg
      viewBox="-130 -130 260 260"
      className="absolute top-0 -right-[6%] aspect-square h-full max-[900px]:-right-[3.5%]"
      aria-hidden="true"
    >
      {Array.from({ length: TICKS }, (_, tick) => (
        <path
          key={tick}
          d={tick % 10 === 0 ? 'M0-129v9' : 'M0-127v5'}
          transform={`rotate(${(tick * 360) / TICKS})`}
          stroke={tick / TICKS < progress ? 'var(--mark)' : 'var(--strong)'}
          strokeWidth="1.2"
        />
      ))}
      <g className={spinning ? 'animate-[spin_1.8s_linear_infinite]' : ''}>
        <circle r="118" fill="#060a09" />
        {[112, 104, 96, 88, 80, 72, 64, 56, 48].map((radius) => (
          <circle
            key={radius}
            r={radius}
            fill="none"
            stroke="#1b2d26"
            strokeWidth={radius % 3 === 1 ? 1.2 : 0.5}
          />
        ))}
        <path d="M41-10 112-38A118 118 0 0 1 117-14L43-5z" fill="#f2f4eb" opacity=".08" />
        <path d="M-41 0a41 41 0 0 1 82 0z" fill={figure} />
        <path d="M41 0a41 41 0 0 1-82 0z" fill={ground} />
        <circle r="4" fill="var(--page)" />
      </g>
    </svg>
  );
}

const ACTION =
  'swipe-action group flex min-w-16 flex-col items-center gap-2.5 text-sm text-muted focus-visible:outline-none';
const CIRCLE =
  'relative grid place-content-center rounded-full outline-offset-2 outline-(--focus) group-focus-visible:outline-2';
const ROUND = `${CIRCLE} size-13 border border-strong bg-surface text-text group-hover:bg-hover min-[900px]:size-15`;
const BIG_ROUND = `${CIRCLE} size-16 bg-accent text-on-accent group-hover:bg-accent-hover min-[900px]:size-19`;

export type SwipeAction = 'open' | 'pass' | 'save' | 'play' | 'download';

function Round(props: { label: string; big?: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <button type="button" className={ACTION} onClick={props.onPress}>
      <span className={props.big ? BIG_ROUND : ROUND}>{props.children}</span>
      {props.label}
    </button>
  );
}

export function SwipeSkeleton() {
  return (
    <div>
      <LoadingText>Loading tracks...</LoadingText>
      <div className="swipe-art relative mx-auto">
        <Skeleton className="absolute top-[5%] left-0 w-[67.3%] skeleton-cover aspect-square" />
      </div>
      <Skeleton className="mt-8 h-11 w-3/5" />
      <Skeleton className="mt-4 h-5 w-2/5" />
      <Skeleton className="mx-13 mt-6 h-13" />
    </div>
  );
}

export function SwipeCard(props: {
  sample: Sample;
  /** The next sample, whose cover is partly visible behind the current cover. */
  next: Sample | null;
  playback: RowPlayback;
  progress: number | null;
  saved: boolean;
  sliding: SlideDirection | null;
  act: (action: SwipeAction) => void;
}) {
  const { sample, next, playback, progress, saved, sliding, act } = props;
  const owned = useOwned(sample);
  const seconds = previewSeconds(sample);
  return (
    <div className="swipe-card" data-sliding={sliding ?? undefined}>
      <div className="swipe-art relative mx-auto">
        {next && (
          <span className="absolute top-[4%] -left-[1.6%] w-[67.3%] -rotate-4" aria-hidden="true">
            <Cover key={next.pack.id} {...coverOf(next)} sizes="(max-width: 767px) 62vw, 472px" />
          </span>
        )}
        <Vinyl genre={sample.genre} progress={progress ?? 0} spinning={playback === 'playing'} />
        <Cover
          key={sample.pack.id}
          {...coverOf(sample)}
          sizes="(max-width: 767px) 62vw, 472px"
          labelled
          eager
          className="absolute top-[5%] left-0 w-[67.3%]"
        />
      </div>
      <div className="mt-8 flex items-start justify-between gap-4 short:mt-4">
        <h2
          className="display line-clamp-3 min-w-0 pb-1 text-4xl wrap-anywhere md:text-7xl"
          title={sample.title}
        >
          {sample.title}
        </h2>
        <div className="flex-none text-right text-xl">
          <p className="mb-2 flex justify-end gap-1.5 leading-none">
            {sample.hasStems && <Tag>STEMS</Tag>}
            {sample.hasMidi && <Tag>MIDI</Tag>}
          </p>
          {sample.key && <KeyLabel musicalKey={sample.key} />}{' '}
          {sample.bpm > 0 && <TempoLabel bpm={sample.bpm} />}
        </div>
      </div>
      <p className="mt-3 flex items-center gap-2.5 text-md">
        <Avatar name={sample.creator.displayName} url={sample.creator.avatarUrl} size={26} />
        <Link
          to={paths.creator(sample.creator.handle)}
          className="underlined max-w-[60%] flex-none truncate font-semibold"
        >
          {sample.creator.displayName}
        </Link>
        <span className="text-muted">in</span>
        <Link to={packPathOf(sample)} className="underlined truncate">
          {sample.pack.title}
        </Link>
      </p>
      <div className="mt-5 flex items-center gap-4 short:mt-3">
        <span className="w-9 font-semibold">{formatPosition((progress ?? 0) * seconds)}</span>
        <div className="min-w-0 flex-1">
          <SeekableWaveform sound={sample} className="mb-1.5 h-13" />
          <Ruler seconds={seconds} />
        </div>
        <span className="w-9 text-right text-faint">{formatDuration(seconds * 1000)}</span>
      </div>
      <div className="mt-7 flex items-end justify-center gap-2.5 min-[900px]:gap-7.5 short:mt-4">
        <Link to={packPathOf(sample)} className={`${ACTION} no-underline`}>
          <span className={ROUND}>
            <Disc3 size={20} />
          </span>
          Open pack
        </Link>
        <Round label="Pass" onPress={() => act('pass')}>
          <X size={20} />
        </Round>
        <Round label={isSounding(playback) ? 'Pause' : 'Play'} big onPress={() => act('play')}>
          <PlaybackIcon playback={playback} size={26} />
        </Round>
        <Round label={saved ? 'Saved' : 'Save'} onPress={() => act('save')}>
          <Bookmark size={20} className={saved ? 'fill-mark text-mark' : undefined} />
        </Round>
        <Round label="Download" onPress={() => act('download')}>
          {owned ? <Check size={20} className="text-ok" /> : <Download size={20} />}
          {!owned && (
            <span className="absolute -top-1.5 -right-2">
              <Sticker tone="accent" label={countOf(sample.creditCost, 'credit')}>
                {sample.creditCost}
              </Sticker>
            </span>
          )}
        </Round>
      </div>
    </div>
  );
}
