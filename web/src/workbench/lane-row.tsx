import './lane-row.css';
import { ArrowLeftRight, Check, GripVertical, X } from 'lucide-react';
import type { PointerEvent, KeyboardEvent } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { useOwned } from '../downloads/owned.js';
import { fitLabelOf } from '../project/fit-label.js';
import { useSession } from '../session/session.js';
import { Sticker } from '../ui/badge.js';
import { IconButton } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { LANE_BOUNDS } from '../../../application/library/values.js';
import { LaneSlider, LEVEL, PAN, signed, Stepper } from './fields.js';
import { useEngineState } from './playback.js';
import { type Bench, cycleOf, heardIn, heardText, type Lane, soundOfLane } from './song.js';
import { Strip } from './strip.js';
import {
  changeLane,
  currentBench,
  focusLane,
  holdGesture,
  isQuiet,
  moveLane,
  removeLane,
  setAmount,
  toggleMute,
  toggleSolo,
  useFocusedLane,
  useSolo,
} from './workbench.js';

/** The tempo and key of a sample as recorded and in the song: "104 BPM A min → 90 C min". */
export function HeardFacts({
  sample,
  bench,
  semitones,
}: {
  sample: Sample;
  bench: Bench;
  semitones?: number;
}) {
  const heard = heardIn(sample, bench, semitones);
  return (
    <span
      className="narrow block truncate text-xs text-muted"
      title={`${heardText(sample, bench, semitones)}; ${fitLabelOf(sample, bench).detail}`}
    >
      {sample.bpm > 0 ? <TempoLabel bpm={sample.bpm} /> : 'no tempo'}{' '}
      {sample.key && <KeyLabel musicalKey={sample.key} />}
      {' → '}
      {sample.bpm > 0 ? <b>{heard.bpm}</b> : 'free'}{' '}
      {sample.key ? (
        <KeyLabel musicalKey={heard.key} />
      ) : (
        sample.bpm > 0 && <span className="text-[0.86em] text-faint">BPM</span>
      )}
    </span>
  );
}

function Cost({ sample }: { sample: Sample }) {
  const isOwn = useSession().user?.id === sample.creator.id;
  const isOwned = useOwned(sample) || isOwn;
  if (!isOwned) return <Sticker label={countOf(sample.creditCost, 'credit')}>{sample.creditCost}</Sticker>;
  return (
    <span className="flex items-center gap-1.5">
      <Check size={15} className="text-ok" aria-hidden="true" />
      <span className="max-lg:hidden">
        <Sticker tone="owned" label="Yours already">
          0
        </Sticker>
      </span>
    </span>
  );
}

const laneAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-lane]')?.dataset.lane;

/** Moves a lane to the place of the lane under the pointer, until the button is released. */
function dragLane(event: PointerEvent, id: string): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
    const over = laneAt(clientX, clientY);
    const to = currentBench()?.lanes.findIndex((lane) => lane.id === over) ?? -1;
    if (over !== id) moveLane(id, to);
  };
  const ends = ['pointerup', 'pointercancel'] as const;
  const end = () => {
    window.removeEventListener('pointermove', follow);
    ends.forEach((name) => window.removeEventListener(name, end));
  };
  window.addEventListener('pointermove', follow);
  ends.forEach((name) => window.addEventListener(name, end));
}

function moveByKey(event: KeyboardEvent, id: string): void {
  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
  if (by === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const grip = event.currentTarget as HTMLElement;
  moveLane(id, (currentBench()?.lanes.findIndex((lane) => lane.id === id) ?? 0) + by);
  // A lane that moves in the document loses the focus.
  requestAnimationFrame(() => grip.focus());
}

const beatsText = (beats: number): string => `${signed(beats)} ${Math.abs(beats) === 1 ? 'beat' : 'beats'}`;

/** Shift, offset and loop length: as fields while the lane has the focus, else as a text. */
function Shift({ lane, bench, isOpen }: { lane: Lane; bench: Bench; isOpen: boolean }) {
  const { id, offsetBeats } = lane;
  const sound = soundOfLane(lane, bench);
  const cycle = cycleOf(lane, sound);
  const fitted = sound.semitones - lane.semitones;
  if (!isOpen)
    return (
      <div className="lane-shift narrow text-right text-xs text-muted max-lg:hidden">
        <p>
          <b>{signed(sound.semitones)}</b> st
        </p>
        <p>
          <b>{signed(offsetBeats)}</b> beats
        </p>
        {lane.loopBeats !== null && (
          <p>
            loop <b>{lane.loopBeats}</b>
          </p>
        )}
      </div>
    );
  return (
    <div className="lane-shift">
      <Stepper
        label="Transpose"
        unit="st"
        step={1}
        value={sound.semitones}
        onChange={(value) => setAmount(id, 'semitones', (value ?? fitted) - fitted)}
      />
      <Stepper
        label="Offset"
        unit="beats"
        step={1}
        value={offsetBeats}
        onChange={(value) => setAmount(id, 'offsetBeats', value ?? 0)}
      />
      <Stepper
        label="Loop length"
        unit="loop"
        step={1}
        value={cycle}
        onChange={(value) =>
          value === null
            ? changeLane(id, { loopBeats: null }, 'loopBeats')
            : setAmount(id, 'loopBeats', Math.max(value, LANE_BOUNDS.loopBeats.min))
        }
      />
    </div>
  );
}

function ToggleLetter(props: { letter: string; label: string; isOn: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className="lane-letter"
      aria-label={props.label}
      aria-pressed={props.isOn}
      title={props.label}
      // A press must not move the focus. On small screens, the focus opens this lane and closes another, so the button
      // would move away from under the finger.
      onMouseDown={(event) => event.preventDefault()}
      onClick={props.onPress}
    >
      {props.letter}
    </button>
  );
}

/** The name of a lane for screen readers, such as "Felt, 104 A min to 90 C min". */
export const laneName = ({ title, sample, semitones }: Lane, bench: Bench): string =>
  sample ? `${title}, ${heardText(sample, bench, semitones)}` : title;

/** @param props.onSwap opens the choice of similar sounds */
export function LaneRow(props: { lane: Lane; bench: Bench; at: number; onSwap: () => void }) {
  const { lane, bench, at, onSwap } = props;
  const { id, title, sample, own, mute } = lane;
  const solo = useSolo();
  const focused = useFocusedLane();
  const isOpen = focused === id;
  const quiet = isQuiet(lane, solo);
  const status = useEngineState().lanes[id];
  return (
    <div
      role="group"
      aria-label={laneName(lane, bench)}
      aria-keyshortcuts="Shift+M Shift+S ArrowLeft ArrowRight Alt+ArrowUp Alt+ArrowDown Delete"
      data-lane={id}
      data-open={isOpen ? '' : undefined}
      data-quiet={quiet ? '' : undefined}
      className="lane"
      tabIndex={isOpen || (at === 0 && focused === null) ? 0 : -1}
      onFocus={() => focusLane(id)}
      onPointerDownCapture={holdGesture}
    >
      <IconButton
        data-grip
        label="Move: drag, or press an arrow key"
        about={title}
        className="lane-grip"
        onPointerDown={(event) => dragLane(event, id)}
        onKeyDown={(event) => moveByKey(event, id)}
      >
        <GripVertical size={16} />
      </IconButton>
      {sample ? (
        <Cover {...coverOf(sample)} size="small" className="lane-cover" />
      ) : (
        <span className="lane-cover cut-corner-10 border border-line bg-[#f3efe2]" aria-hidden="true" />
      )}
      <div className="lane-title">
        <p className={own ? 'mono truncate' : 'truncate text-md font-semibold'}>{title}</p>
        {sample && <HeardFacts sample={sample} bench={bench} semitones={lane.semitones} />}
        {own && <span className="block truncate text-xs text-muted">Only in this browser, not saved</span>}
      </div>
      <div className="lane-letters">
        <ToggleLetter letter="M" label="Mute" isOn={mute} onPress={() => toggleMute(id)} />
        <ToggleLetter letter="S" label="Solo" isOn={solo.has(id)} onPress={() => toggleSolo(id)} />
      </div>
      <div className="lane-mix">
        <LaneSlider lane={lane} scale={LEVEL} isOpen={isOpen} />
        <LaneSlider lane={lane} scale={PAN} isOpen={isOpen} />
      </div>
      <div className="lane-grid">
        <Strip lane={lane} bench={bench} isQuiet={quiet} status={status} />
      </div>
      <Shift lane={lane} bench={bench} isOpen={isOpen} />
      <div className="lane-acts">
        {sample && (
          <IconButton label="Swap for a similar sound that fits" about={title} onClick={onSwap}>
            <ArrowLeftRight size={15} />
          </IconButton>
        )}
        <IconButton label="Remove" about={title} onClick={() => removeLane(id)}>
          <X size={15} />
        </IconButton>
      </div>
      <div className="lane-cost">{sample && <Cost sample={sample} />}</div>
      <span className="sr-only">{beatsText(lane.offsetBeats)} from the start</span>
    </div>
  );
}
