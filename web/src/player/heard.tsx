import type { ReactNode } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { fitOf, keyInProject } from '../../../application/catalogue/values.js';
import { signed } from '../project/fit-label.js';
import { useProject } from '../project/project.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { setPlaysOriginal, usePlaysOriginal } from './audition.js';
import { usePlayer } from './player.js';

const inHundredths = (amount: number): number => Math.round(amount * 100) / 100;

/** The tempo and key in which the project plays a sample; undefined if the project does not change the sample. */
function useHeard({ bpm, key }: Pick<Sample, 'bpm' | 'key'>) {
  const project = useProject();
  const canTranspose = usePlayer((state) => state.canTranspose);
  if (!project) return undefined;
  const { rate, semitones } = fitOf({ bpm, key }, project);
  if (rate === 1 && semitones === 0) return undefined;
  const shift = canTranspose ? semitones : 0;
  return {
    bpm: inHundredths(bpm * rate),
    percent: Math.round((rate - 1) * 100),
    key: shift === 0 ? key : keyInProject(key, project.key),
    semitones: shift,
    isTempoOnly: shift !== semitones,
  };
}

/** The tempo and key of a sample, and those in which it is heard: "104 → 90 BPM", "A min → C min". */
export function Heard({ track }: { track: Sample }) {
  const heard = useHeard(track);
  const playsOriginal = usePlaysOriginal();
  if (!heard)
    return (
      <>
        {track.key && <KeyLabel musicalKey={track.key} />}
        <TempoLabel bpm={track.bpm} />
      </>
    );
  const recorded = { bpm: track.bpm, key: track.key };
  const [from, to] = playsOriginal ? [heard, recorded] : [recorded, heard];
  return (
    <div className="flex items-center gap-3.5">
      <div className="grid gap-0.5 leading-tight in-[.player]:justify-items-end">
        <span className="whitespace-nowrap">
          <TempoLabel bpm={from.bpm} playsAt={to.bpm} />
          {heard.percent !== 0 && !playsOriginal && <Shift>{signed(heard.percent)} %</Shift>}
        </span>
        <span className="whitespace-nowrap">
          <KeyLabel musicalKey={from.key} playsIn={to.key} none="No key" />
          {heard.semitones !== 0 && !playsOriginal && <Shift>{signed(heard.semitones)} st</Shift>}
        </span>
        {heard.isTempoOnly && <TempoOnly />}
      </div>
      <button
        type="button"
        className="flex min-h-11 items-center gap-2 text-sm text-muted aria-pressed:text-accent-text"
        aria-pressed={playsOriginal}
        title="Hear the original. Hold X to compare."
        onClick={() => setPlaysOriginal(!playsOriginal)}
      >
        <kbd className="border border-strong px-1.5 py-0.5 font-sans font-semibold max-lg:hidden">X</kbd>
        <span className="in-[.player]:max-xl:sr-only">original</span>
      </button>
    </div>
  );
}

const Shift = ({ children }: { children: ReactNode }) => (
  <span className="narrow ml-2 text-[0.86em] text-faint in-[.player]:max-xl:hidden">{children}</span>
);

/** Says why the key did not change. */
function TempoOnly() {
  return (
    <span role="status" className="text-sm text-warn" title="This browser cannot change the key of a sound.">
      Only the tempo is yours
    </span>
  );
}
