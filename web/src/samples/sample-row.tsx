import { clsx } from 'clsx';
import { Check, Download, Waypoints } from 'lucide-react';
import { memo, useRef, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { dragOut, learnFileNames } from '../downloads/drag-out.js';
import { useOwned } from '../downloads/owned.js';
import type { DownloadPlace } from '../session/after-sign-in.js';
import { useDownload } from '../downloads/use-download.js';
import { packPathOf, paths } from '../paths.js';
import { PlayButton } from '../player/play-button.js';
import { isSounding, usePlayback } from '../player/player.js';
import { preloadSoon } from '../player/preload.js';
import { SeekableWaveform } from '../player/seekable-waveform.js';
import { Sticker, Tag } from '../ui/badge.js';
import { IconButton } from '../ui/button.js';
import { Cover } from '../ui/sound/cover.js';
import { countOf, formatDuration } from '../ui/format.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { SaveButton } from './save-button.js';
import { askSimilar } from './similar-request.js';

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

export type RowPlace = 'discover' | 'list' | 'pack' | 'creator' | 'library';

export interface SampleRowProps {
  sample: Sample;
  /** The list of the sound, in the order in which the player continues. */
  queue: readonly Sample[];
  place: RowPlace;
  rank?: number;
  /** 0 for the one row of the list that Tab reaches, with its controls; -1 for the others. */
  tabIndex?: number;
  /** The place in the list, from 1, and its length. Plain numbers, so that unchanged rows do not render again. */
  number?: number;
  count?: number;
}

const savePlace = (place: RowPlace) => (place === 'pack' ? 'pack' : 'list');
const downloadPlace = (place: RowPlace): DownloadPlace => (place === 'discover' ? 'list' : place);

function Extras({ sample }: { sample: Sample }) {
  return (
    <>
      {sample.hasStems && <Tag>STEMS</Tag>}
      {sample.hasMidi && <Tag>MIDI</Tag>}
    </>
  );
}

function DownloadCell({ sample, place, tabIndex }: Pick<SampleRowProps, 'sample' | 'place' | 'tabIndex'>) {
  const owned = useOwned(sample);
  const { download } = useDownload();
  const cost = countOf(sample.creditCost, 'credit');
  return (
    <>
      <span className="row-cost col-[cost]" data-owned={owned ? '' : undefined}>
        <Sticker tone={owned ? 'owned' : 'rest'} label={owned ? 'Owned' : cost}>
          {owned ? 0 : sample.creditCost}
        </Sticker>
      </span>
      <IconButton
        label={owned ? 'Already downloaded - click to download again' : `Download for ${cost}`}
        about={sample.title}
        className={clsx(
          'row-icon col-[download] justify-self-center in-data-silent:opacity-45',
          owned && 'text-ok!',
        )}
        data-action="download"
        tabIndex={tabIndex}
        onClick={() => download(sample, downloadPlace(place))}
      >
        {owned ? <Check size={18} /> : <Download size={18} />}
      </IconButton>
    </>
  );
}

export const SampleRow = memo(function SampleRow(props: SampleRowProps) {
  const { sample, queue, place, rank, tabIndex = -1, number, count } = props;
  const playback = usePlayback(sample.id);
  const owned = useOwned(sample);
  const lengthMs = useLengthMs(sample);
  const callOff = useRef<() => void>(() => undefined);
  const warm = () => {
    callOff.current();
    callOff.current = preloadSoon(sample);
    if (owned) learnFileNames();
  };
  return (
    <div
      role="listitem"
      className="sample-row"
      data-sample={sample.id}
      data-playback={playback}
      data-silent={sample.previewUrl ? undefined : ''}
      aria-current={isSounding(playback) ? 'true' : undefined}
      aria-label={`${sample.title}, ${sample.creator.displayName}`}
      aria-posinset={number}
      aria-setsize={count}
      tabIndex={tabIndex}
      onPointerEnter={warm}
      onPointerLeave={() => callOff.current()}
      onFocus={warm}
      onDragStart={owned ? (event) => dragOut(event, sample.id) : undefined}
    >
      {rank !== undefined && <span className="row-rank display">{rank}</span>}
      <PlayButton
        sound={sample}
        queue={queue}
        source={place === 'discover' ? 'discover' : 'elsewhere'}
        className="play-button row-play"
        tabIndex={-1}
        data-action="play"
      />
      <Link
        to={packPathOf(sample)}
        className="row-cover"
        aria-label={`Open pack ${sample.pack.title}`}
        tabIndex={-1}
      >
        <Cover title={sample.pack.title} genre={sample.genre} artworkUrl={sample.artworkUrl} size="small" />
      </Link>
      <div
        className="row-title"
        draggable={owned || undefined}
        title={owned ? 'Drag it to your desktop or into your audio program' : undefined}
      >
        <p className="truncate text-md font-semibold">
          <Link
            to={packPathOf(sample)}
            className="row-name no-underline"
            aria-label={`${sample.title}, open pack ${sample.pack.title}`}
            tabIndex={-1}
          >
            {sample.title}
          </Link>
        </p>
        <p className="flex items-center gap-2 text-sm text-muted">
          <Link
            to={paths.creator(sample.creator.handle)}
            tabIndex={tabIndex}
            className="truncate no-underline hover:underline"
          >
            {sample.creator.displayName}
          </Link>
          <span className="items-center gap-1.5 text-text [display:var(--by-extras,none)]">
            <Extras sample={sample} />
          </span>
          <span className="items-center gap-1.5 whitespace-nowrap text-text [display:var(--by-facts,none)]">
            {sample.key && <KeyLabel musicalKey={sample.key} />}
            {sample.bpm > 0 && <TempoLabel bpm={sample.bpm} />}
          </span>
        </p>
      </div>
      {sample.previewUrl ? (
        <SeekableWaveform sound={sample} queue={queue} className="row-wave" />
      ) : (
        <span className="row-wave h-0! border-t-2 border-dashed border-faint" aria-hidden="true" />
      )}
      <span className="row-time narrow">{formatDuration(lengthMs)}</span>
      <div className="row-facts">
        <span className="col-[key]">
          <KeyLabel musicalKey={sample.key} none={rank === undefined ? '–' : 'No key'} />
        </span>
        <span className="col-[tempo]">
          <TempoLabel bpm={sample.bpm} />
        </span>
      </div>
      <span className="col-[instruments] items-center pr-2 text-sm text-muted [display:var(--instruments,flex)]">
        <span className="min-w-0 flex-1 truncate">
          {sample.previewUrl ? (
            sample.instruments.join(', ')
          ) : (
            <span className="text-warn">Audio unavailable</span>
          )}
        </span>
        <IconButton
          label="Similar sounds"
          about={sample.title}
          className="h-8 w-7 text-faint"
          tabIndex={tabIndex}
          onClick={() => askSimilar(sample)}
        >
          <Waypoints size={16} />
        </IconButton>
      </span>
      <span className="col-[extras] gap-1.25 [display:var(--extras,flex)]">
        <Extras sample={sample} />
      </span>
      <DownloadCell sample={sample} place={place} tabIndex={tabIndex} />
      <SaveButton sample={sample} place={savePlace(place)} tabIndex={tabIndex} />
    </div>
  );
});
