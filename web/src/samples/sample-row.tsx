import './sample-row.css';
import { Waypoints } from 'lucide-react';
import { memo, useRef, useEffect, useState, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { DownloadCell } from '../downloads/download-cell.js';
import { dragOut, learnFileNames } from '../downloads/drag-out.js';
import { useOwned } from '../downloads/owned.js';
import { PickBox } from '../picks/pick-box.js';
import { pickOf } from '../picks/picks.js';
import { packPathOf, paths } from '../paths.js';
import { PlayButton } from '../player/play-button.js';
import { isSounding, usePlayback } from '../player/player.js';
import { durationOf, preloadSoon } from '../player/preload.js';
import { SeekableWaveform } from '../player/seekable-waveform.js';
import { useProject } from '../project/project.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { Tag } from '../ui/badge.js';
import { IconButton } from '../ui/button.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { formatDuration } from '../ui/format.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { SaveButton } from './save-button.js';
import { askSimilar } from './similar-request.js';

/** The length of each file in milliseconds, as the file says; 0 if the browser cannot read the length. */
const read = new Map<string, Promise<number>>();

function lengthOf(url: string): Promise<number> {
  const reading = read.get(url) ?? durationOf(url).catch(() => 0);
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
  /** The list that contains the sound, in the order in which the player continues. */
  queue: readonly Sample[];
  place: RowPlace;
  rank?: number;
  /** 0 for the row that the Tab key reaches; -1 for the other rows of the list. */
  tabIndex?: number;
  /** Whether the row is inside a list item with other controls. */
  inItem?: boolean;
  /**
   * The row's place in the list, from 1, and the length of the list. Plain numbers, so that unchanged rows do not
   * render again.
   */
  number?: number;
  count?: number;
}

const fitBadge = () => import('../project/fit-badge.js');
const FitBadge = lazyWithPreload(fitBadge);
const FitFacts = lazyWithPreload(async () => ({
  default: (await fitBadge()).FitFacts,
}));

/** How the sample fits the open project. Its code is loaded only for visitors with a project. */
function Fit({ sample }: { sample: Sample }) {
  const hasProject = useProject() !== null;
  return <Suspense>{hasProject && <FitBadge sample={sample} />}</Suspense>;
}

function Facts({ sample, noKey }: { sample: Sample; noKey: string }) {
  const hasProject = useProject() !== null;
  const recorded = (
    <>
      <span className="col-[key]">
        <KeyLabel musicalKey={sample.key} none={noKey} />
      </span>
      <span className="col-[tempo]">
        <TempoLabel bpm={sample.bpm} />
      </span>
    </>
  );
  if (!hasProject) return recorded;
  return (
    <Suspense fallback={recorded}>
      <FitFacts sample={sample} noKey={noKey} />
    </Suspense>
  );
}

function Extras({ sample }: { sample: Sample }) {
  return (
    <>
      {sample.hasStems && <Tag>STEMS</Tag>}
      {sample.hasMidi && <Tag>MIDI</Tag>}
      {sample.origin?.startsWith('ai') && <Tag>AI</Tag>}
    </>
  );
}

export const SampleRow = memo(function SampleRow(props: SampleRowProps) {
  const { sample, queue, place, rank, tabIndex = -1, inItem, number, count } = props;
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
      role={inItem ? 'group' : 'listitem'}
      className="sample-row"
      data-sample={sample.id}
      data-playback={playback}
      data-silent={sample.previewUrl ? undefined : ''}
      aria-current={isSounding(playback) ? 'true' : undefined}
      aria-label={`${sample.title}, ${sample.creator.displayName}`}
      aria-posinset={inItem ? undefined : number}
      aria-setsize={inItem ? undefined : count}
      tabIndex={tabIndex}
      onPointerEnter={warm}
      onPointerLeave={() => callOff.current()}
      onFocus={warm}
      onBlur={() => callOff.current()}
      onDragStart={owned ? (event) => dragOut(event, sample.id) : undefined}
    >
      {rank !== undefined && <span className="row-rank display">{rank}</span>}
      <PickBox
        thing={pickOf(sample)}
        list={() => queue.map(pickOf)}
        className="row-pick"
        tabIndex={tabIndex}
      />
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
        <Cover {...coverOf(sample)} size="small" />
      </Link>
      <div
        className="row-title"
        draggable={owned || undefined}
        title={owned ? 'Drag it to your desktop or into your audio program' : undefined}
      >
        <p className="truncate text-md font-semibold">
          <Link
            to={paths.sample(sample.id)}
            className="row-name no-underline hover:underline"
            tabIndex={-1}
            // The title of an owned sample is dragged to save its audio file, so its link must not be dragged.
            draggable={owned ? false : undefined}
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
          <span className="row-fit flex-none [display:var(--by-fit,none)]">
            <Fit sample={sample} />
          </span>
        </p>
      </div>
      <span className="col-[fit] [display:var(--fit,none)]">
        <Fit sample={sample} />
      </span>
      {sample.previewUrl ? (
        <SeekableWaveform sound={sample} queue={queue} className="row-wave" />
      ) : (
        <span className="row-wave h-0! border-t-2 border-dashed border-faint" aria-hidden="true" />
      )}
      <span className="row-time narrow">{formatDuration(lengthMs)}</span>
      <div className="row-facts">
        <Facts sample={sample} noKey={rank === undefined ? '–' : 'No key'} />
      </div>
      <span className="col-[instruments] truncate pr-3 text-sm text-muted [display:var(--instruments,block)]">
        {sample.previewUrl ? (
          sample.instruments.join(', ')
        ) : (
          <span className="text-warn">Audio unavailable</span>
        )}
      </span>
      <span className="col-[extras] gap-1.25 [display:var(--extras,flex)]">
        <Extras sample={sample} />
      </span>
      <IconButton
        label="Similar sounds"
        about={sample.title}
        className="row-icon col-[similar] justify-self-center [display:var(--similar,inline-flex)]"
        tabIndex={tabIndex}
        onClick={() => askSimilar(sample)}
      >
        <Waypoints size={18} />
      </IconButton>
      <DownloadCell
        sample={sample}
        place={place === 'discover' ? 'list' : place}
        priceClass="row-cost col-[cost]"
        buttonClass="row-icon col-[download] justify-self-center in-data-silent:opacity-45"
        tabIndex={tabIndex}
      />
      <SaveButton sample={sample} place={place === 'pack' ? 'pack' : 'list'} tabIndex={tabIndex} />
    </div>
  );
});
