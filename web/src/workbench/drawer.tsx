import './strip.css';
import { X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { LANES_LIMIT } from '../../../application/library/values.js';
import { paths } from '../paths.js';
import { Button, ButtonLink, IconButton } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { Problem, Skeleton } from '../ui/states.js';
import { laneName } from './lane-row.js';
import { PlaySong, TransportStatus, BeatDisplay } from './transport-bar.js';
import { useEngine, useEngineState, usePlayhead } from './playback.js';
import { ensureOpen, openWorkbench, useKept } from './saving.js';
import { barsOf, beatsPerBarOf, type Bench, type Lane } from './song.js';
import { Strip } from './strip.js';
import { useCosts } from './take-home.js';
import { closeWorkbenchDrawer } from './try-sound.js';
import { isQuiet, removeLane, toggleMute, useBench, useSolo } from './workbench.js';

function DrawerLane({ lane, bench }: { lane: Lane; bench: Bench }) {
  const { id, title, mute } = lane;
  const status = useEngineState().lanes[id];
  const isSilent = isQuiet(lane, useSolo());
  return (
    <div
      role="group"
      aria-label={laneName(lane, bench)}
      className="grid grid-cols-[minmax(0,120px)_minmax(0,1fr)_auto] items-center gap-2 border-b border-line"
    >
      <p className="truncate text-sm font-semibold" title={title}>
        {title}
      </p>
      <div className="lane-grid py-1.5 [grid-area:auto]! *:h-8!">
        <Strip lane={lane} bench={bench} isQuiet={isSilent} status={status} />
      </div>
      <span className="flex">
        <button
          type="button"
          className="size-9 text-xs font-semibold text-muted aria-pressed:bg-text aria-pressed:text-page"
          aria-label="Mute"
          aria-pressed={mute}
          onClick={() => toggleMute(id)}
        >
          M
        </button>
        <IconButton label="Remove" about={title} onClick={() => removeLane(id)}>
          <X size={15} />
        </IconButton>
      </span>
    </div>
  );
}

function Lanes({ bench, root }: { bench: Bench; root: RefObject<HTMLElement | null> }) {
  const { costCredits, toBuy } = useCosts(bench);
  usePlayhead((beat) => {
    const share = Math.max(0, beat) / (barsOf(bench) * beatsPerBarOf(bench));
    root.current?.style.setProperty('--at', String(share));
  });
  const newest = bench.lanes.at(-1);
  return (
    <>
      <p role="status" className="sr-only">
        {newest && `${newest.title} is in ${bench.name}, ${bench.lanes.length} of ${LANES_LIMIT} lanes`}
      </p>
      <div className="max-h-[38dvh] overflow-y-auto px-4" style={{ '--bars': barsOf(bench) } as object}>
        {bench.lanes.length === 0 && <p className="py-4 text-muted">Press W beside any sound to add it.</p>}
        {bench.lanes.map((lane) => (
          <DrawerLane key={lane.id} lane={lane} bench={bench} />
        ))}
      </div>
      <div className="flex items-center gap-4 px-4 py-3">
        <PlaySong className="size-11" />
        <BeatDisplay bench={bench} />
        <p className="narrow min-w-0 flex-1 text-right text-sm text-muted">
          {toBuy.length > 0 ? `${countOf(costCredits, 'credit')} to buy` : 'Nothing to buy'}
        </p>
        <ButtonLink
          to={paths.workbench}
          size="small"
          className="max-md:min-h-11"
          onClick={closeWorkbenchDrawer}
        >
          Open workbench
        </ButtonLink>
      </div>
      <TransportStatus />
    </>
  );
}

/** The workbench over any page: its lanes and its player. The focus stays on the page. */
export default function WorkbenchDrawer() {
  const bench = useBench();
  const { opening } = useKept();
  const root = useRef<HTMLElement>(null);
  useEngine();
  useEffect(() => void ensureOpen(), []);
  return (
    <section
      ref={root}
      aria-label="Workbench"
      className="popover fade-in fixed right-0 bottom-(--dock) z-28 w-full sm:right-4 sm:bottom-[calc(var(--dock)+12px)] sm:w-120"
      onKeyDown={(event) => event.key === 'Escape' && closeWorkbenchDrawer()}
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="display min-w-0 flex-1 truncate text-xl">{bench?.name ?? 'Workbench'}</h2>
        {bench && (
          <span className="narrow text-sm text-muted">
            {bench.lanes.length} of {LANES_LIMIT}
          </span>
        )}
        <IconButton label="Close the workbench" className="max-md:size-11" onClick={closeWorkbenchDrawer}>
          <X size={18} />
        </IconButton>
      </div>
      {opening.status === 'failed' && (
        <p className="flex items-center gap-3 p-4">
          <Problem of={opening.error} />
          <Button size="small" onClick={() => void openWorkbench()}>
            Try again
          </Button>
        </p>
      )}
      {opening.status === 'loading' && (
        <div className="p-4">
          <Skeleton className="h-12" text="Loading the workbench..." />
        </div>
      )}
      {bench && <Lanes bench={bench} root={root} />}
    </section>
  );
}
