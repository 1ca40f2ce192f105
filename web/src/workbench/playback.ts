import { useEffect } from 'react';
import { held } from '../held.js';
import { Engine, type EngineLane, type EngineState } from './engine/engine.js';
import { barsOf, beatsPerBarOf, type Bench, cycleOf, type Lane, soundOfLane } from './song.js';
import {
  currentBench,
  hearTrial,
  isQuiet,
  laneWith,
  onBenchChange,
  onSoloChange,
  onTrialChange,
  soloNow,
  trialNow,
} from './workbench.js';

const PAUSED: EngineState = { transport: 'paused', lanes: {}, canStretch: true };
const state = held(PAUSED);

/** The state of the engine, with default values before the engine exists. */
export const { get: engineState, use: useEngineState } = state;
export const isPlaying = ({ transport }: EngineState): boolean => transport !== 'paused';

interface Settings {
  originals: boolean;
  click: boolean;
  countsIn: boolean;
  /** The bars that repeat; null for the whole song. */
  range: { fromBar: number; bars: number } | null;
}

const settings = held<Settings>({ originals: false, click: false, countsIn: false, range: null });
export const { get: settingsNow, use: useSettings } = settings;

let engine: Engine | undefined;
export const engineNow = (): Engine | undefined => engine;

/** The id of the extra lane that plays the suggestion. */
const TRIAL = 'trial';

function engineLane(lane: Lane, bench: Bench, isSilent: boolean): EngineLane | undefined {
  const { id, sample, own, offsetBeats, gainDb, pan } = lane;
  const url = sample?.previewUrl;
  const source = own ? { file: own.file } : url ? { url } : undefined;
  if (!source) return undefined;
  const sound = soundOfLane(lane, bench);
  const { seconds, rate, semitones, isPercussive } = sound;
  return {
    id,
    source,
    seconds,
    rate,
    semitones,
    isPercussive,
    cycleBeats: cycleOf(lane, sound),
    offsetBeats,
    gainDb,
    pan,
    isSilent,
  };
}

function follow(): void {
  const bench = currentBench();
  if (!engine || !bench) return engine?.pause();
  const solo = soloNow();
  const trial = trialNow();
  const song = { tempo: bench.tempo, beatsPerBar: beatsPerBarOf(bench), bars: barsOf(bench) };
  engine.setSong(song);
  const lanes = bench.lanes.map((lane) => engineLane(lane, bench, isQuiet(lane, solo)));
  if (trial) lanes.push(engineLane({ ...laneWith(trial, bench), id: TRIAL }, bench, false));
  engine.setLanes(lanes.filter((lane) => lane !== undefined));
}

/** Makes the engine once, and has it follow the workbench. */
function openEngine(): Engine {
  if (engine) return engine;
  const made = new Engine();
  engine = made;
  made.subscribe(() => state.set(made.getState()));
  for (const onChange of [onBenchChange, onSoloChange, onTrialChange]) onChange(follow);
  follow();
  return made;
}

export const play = (): void => openEngine().play();

export const pause = (): void => engine?.pause();

export function seek(beat: number): void {
  engine?.seek(beat);
  // While nothing plays, the engine reports no change of position, so this new state makes `usePlayhead` paint again.
  state.set({ ...state.get() });
}

export const togglePlay = (): void => (isPlaying(state.get()) ? pause() : play());

export function changeSettings(part: Partial<Settings>): void {
  const next = { ...settings.get(), ...part };
  settings.set(next);
  engine?.setOriginals(next.originals);
  engine?.setClick(next.click);
  engine?.setCountIn(next.countsIn ? 1 : 0);
  engine?.setRange(next.range);
}

/** Repeats the four bars around the playhead, or the whole song again. */
export function toggleRange(): void {
  const bench = currentBench();
  if (!bench) return;
  const bar = Math.floor((engine?.beat ?? 0) / beatsPerBarOf(bench));
  const fromBar = Math.max(0, bar - (bar % 4));
  changeSettings({ range: settings.get().range ? null : { fromBar, bars: 4 } });
}

/** Loads the lanes while a component is on screen. Pauses when it leaves the screen. */
export function useEngine(): void {
  useEffect(() => {
    openEngine();
    return () => {
      pause();
      hearTrial(null);
    };
  }, []);
}

/** Calls `paint` with the beat: in each frame while the song plays, else once after each change. */
export function usePlayhead(paint: (beat: number) => void): void {
  const plays = isPlaying(useEngineState());
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      paint(engine?.beat ?? 0);
      if (plays) frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  });
}
