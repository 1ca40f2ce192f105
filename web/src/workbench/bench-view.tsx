import { useRef, useState } from 'react';
import { LANES_LIMIT } from '../../../application/library/values.js';
import { Button } from '../ui/button.js';
import { useFileDrop } from '../ui/forms/use-file-drop.js';
import { EmptyState } from '../ui/states.js';
import { BenchHead } from './bench-head.js';
import { AddDialog, SwapDialog, takeOwnFile } from './choose-sound.js';
import { useWorkbenchKeys } from './keys.js';
import { LaneRow } from './lane-row.js';
import { hearNext, Missing, MissingRow, useSuggestions } from './missing.js';
import { useEngine, usePlayhead } from './playback.js';
import { barsOf, beatsPerBarOf, type Bench, type Lane } from './song.js';
import { TakeHome, TakeHomeButton } from './take-home.js';
import { SongRuler, TransportBar } from './transport-bar.js';
import { addSample } from './workbench.js';

/** Shown while there are no lanes: says what a workbench is, and offers two sounds. */
function NoLanes({ bench, onAdd }: { bench: Bench; onAdd: () => void }) {
  const { data } = useSuggestions(bench);
  return (
    <EmptyState
      title="Hear sounds together"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button tone="primary" onClick={onAdd}>
            Add sound
          </Button>
          {data?.items.slice(0, 2).map(({ sample }) => (
            <Button key={sample.id} onClick={() => addSample(sample)}>
              Try “{sample.title}”
            </Button>
          ))}
        </div>
      }
    >
      Up to {LANES_LIMIT} sounds play here in one tempo and key. Press W beside any sound to add it, or drop a
      file of your own.
    </EmptyState>
  );
}

/** The workbench as a page: lanes on the bars, suggestions, price and transport. */
export default function BenchView({ bench }: { bench: Bench }) {
  const [choosing, setChoosing] = useState<Lane | 'new' | null>(null);
  const { data } = useSuggestions(bench);
  const root = useRef<HTMLDivElement>(null);
  const { drop } = useFileDrop((file) => void takeOwnFile(file));
  useEngine();
  useWorkbenchKeys(() => data && hearNext(data.items));
  usePlayhead((beat) => {
    const share = Math.max(0, beat) / (barsOf(bench) * beatsPerBarOf(bench));
    root.current?.style.setProperty('--at', String(share));
  });
  const close = () => setChoosing(null);
  const add = () => setChoosing('new');
  return (
    <div ref={root} className="bench" {...drop}>
      <div className="gutter min-w-0 pt-6 pb-8">
        <BenchHead bench={bench} onAdd={add} />
        {bench.lanes.length === 0 ? (
          <NoLanes bench={bench} onAdd={add} />
        ) : (
          <section aria-label="Lanes">
            <div className="lane-head text-sm text-muted">
              <span className="col-[title] -ml-15">Sound</span>
              <span className="col-[mix]">Level, pan</span>
              <SongRuler bench={bench} />
              <span className="col-[shift] text-right">Shift</span>
              <span className="col-[cost] justify-self-end">Cost</span>
            </div>
            {bench.lanes.map((lane, at) => (
              <LaneRow key={lane.id} lane={lane} bench={bench} at={at} onSwap={() => setChoosing(lane)} />
            ))}
          </section>
        )}
        {bench.lanes.length > 0 && <Missing bench={bench} />}
      </div>
      <aside aria-label="Take it home" className="bench-price px-6 py-5 max-xl:hidden">
        <h2 className="display mb-4 text-3xl">Take it home</h2>
        <TakeHome bench={bench} />
      </aside>
      <TransportBar
        bench={bench}
        above={<MissingRow bench={bench} />}
        buy={<TakeHomeButton bench={bench} />}
      />
      {choosing === 'new' && <AddDialog bench={bench} onClose={close} />}
      {choosing && choosing !== 'new' && <SwapDialog lane={choosing} bench={bench} onClose={close} />}
    </div>
  );
}
