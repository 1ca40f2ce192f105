import { useEffect, useEffectEvent } from 'react';
import { askCollect, collectableSample } from '../collections/collect-request.js';
import { askSimilar } from '../samples/similar-request.js';
import { isTyping } from '../ui/forms/typing.js';
import { changeSettings, seek, settingsNow, togglePlay } from './playback.js';
import { beatsPerBarOf, type Lane } from './song.js';
import {
  currentBench,
  focusedLane,
  redo,
  removeLane,
  setAmount,
  toggleMute,
  toggleSolo,
  undo,
} from './workbench.js';

const ELSEWHERE = '[role=dialog], [role=alertdialog], [role^=menu], [role=listbox]';
const HAS_ARROWS = 'input, select, [role=tab], [role=slider], [data-grip]';
const HAS_SPACE = 'button, a, input, summary, [role=tab]';

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

const laneNow = (): Lane | undefined => {
  const lanes = currentBench()?.lanes ?? [];
  return lanes.find(({ id }) => id === focusedLane()) ?? lanes[0];
};

/** Moves the focus to the lane above or below. */
function moveFocus(by: 1 | -1): void {
  const lanes = currentBench()?.lanes ?? [];
  const at = lanes.findIndex(({ id }) => id === focusedLane());
  const next = at < 0 ? lanes[0] : lanes[at + by];
  if (next) document.querySelector<HTMLElement>(`[data-lane="${CSS.escape(next.id)}"]`)?.focus();
}

/**
 * Up and down move the focus between lanes, or with Alt transpose by a semitone. Left and right move the lane by a
 * beat, or with Shift by a bar.
 */
function pressArrow({ key, altKey, shiftKey }: KeyboardEvent, lane: Lane): void {
  const bench = currentBench();
  const by = key === 'ArrowUp' || key === 'ArrowRight' ? 1 : -1;
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    if (altKey) setAmount(lane.id, 'semitones', lane.semitones + by);
    else moveFocus(by === 1 ? -1 : 1);
  } else if (bench) {
    setAmount(lane.id, 'offsetBeats', lane.offsetBeats + by * (shiftKey ? beatsPerBarOf(bench) : 1));
  }
}

const onLane: Record<string, (lane: Lane) => void> = {
  M: ({ id }) => toggleMute(id),
  S: ({ id }) => toggleSolo(id),
  m: ({ sample }) => sample && askSimilar(sample),
  c: ({ sample }) => sample && void askCollect(collectableSample(sample)),
};

/** Handles a key press. Returns whether the key is a shortcut of the workbench. */
function press(event: KeyboardEvent, hearNext: () => void): boolean {
  const { key, target, altKey } = event;
  const lane = laneNow();
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() === 'z') (event.shiftKey ? redo : undo)();
    else if (key.toLowerCase() === 'y') redo();
    else return false;
    return true;
  }
  if (key.startsWith('Arrow')) {
    if (!lane || isIn(target, HAS_ARROWS)) return false;
    pressArrow(event, lane);
    return true;
  }
  if (altKey) return false;
  const act = onLane[key];
  if (key === ' ') {
    if (isIn(target, HAS_SPACE)) return false;
    if (!event.repeat) togglePlay();
  } else if (event.repeat) return false;
  else if (act) {
    if (lane) act(lane);
  } else if (key === 'b') hearNext();
  else if (key === 'x') changeSettings({ originals: true });
  else if (key === 'Home') seek(0);
  else if (key === 'Delete' && target instanceof HTMLElement && target.dataset.lane)
    removeLane(target.dataset.lane);
  else return false;
  return true;
}

/** Handles the shortcuts of the workbench's page. They take precedence over the shortcuts that work on every page. */
export function useWorkbenchKeys(hearNext: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event.target) || isIn(event.target, ELSEWHERE) || !press(event, hearNext)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const down = (event: KeyboardEvent) => pressed(event);
    const up = ({ key }: KeyboardEvent) => {
      if (key === 'x' && settingsNow().originals) changeSettings({ originals: false });
    };
    document.addEventListener('keydown', down, true);
    document.addEventListener('keyup', up);
    return () => {
      document.removeEventListener('keydown', down, true);
      document.removeEventListener('keyup', up);
    };
  }, []);
}
