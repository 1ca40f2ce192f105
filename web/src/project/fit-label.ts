import { fitOf, type Fit, type Project } from '../../../application/catalogue/values.js';

export interface FitLabel {
  label: string;
  tone: 'ok' | 'info' | 'warn' | 'neutral';
  /** The changes of tempo and pitch in words, such as "104 → 90 BPM (−13 %), 3 semitones up". */
  detail: string;
}

/** "+3" or "−3". */
export const signed = (amount: number): string => `${amount > 0 ? '+' : '−'}${Math.abs(amount)}`;

const semitonesText = (semitones: number): string =>
  `${Math.abs(semitones)} ${Math.abs(semitones) === 1 ? 'semitone' : 'semitones'}`;

function detailOf({ bpm, key }: { bpm: number; key: string | null }, { semitones, rate }: Fit): string {
  const percent = Math.round((rate - 1) * 100);
  return [
    bpm > 0
      ? `${bpm} → ${Math.round(bpm * rate)} BPM (${percent === 0 ? '0' : signed(percent)} %)`
      : 'no tempo',
    key === null
      ? 'no pitch'
      : semitones === 0
        ? 'pitch unchanged'
        : `${semitonesText(semitones)} ${semitones > 0 ? 'up' : 'down'}`,
  ].join(', ');
}

const words = ({ key, semitones, time, isStretched }: Fit): Omit<FitLabel, 'detail'> => {
  if (isStretched) return { label: 'Stretched', tone: 'warn' };
  if (key === 'parallel') return { label: 'Parallel key', tone: 'info' };
  if (key === 'neighbour') return { label: 'Neighbour key', tone: 'info' };
  if (semitones !== 0)
    return { label: `${semitones > 0 ? '+' : '−'}${semitonesText(semitones)}`, tone: 'neutral' };
  if (time === 'half') return { label: 'Half time', tone: 'info' };
  if (time === 'double') return { label: 'Double time', tone: 'info' };
  return { label: key === 'relative' ? 'Relative key' : 'Fits', tone: 'ok' };
};

/** Returns the badge of a sample in a project. The label names only the most important change. */
export function fitLabelOf(sample: { bpm: number; key: string | null }, project: Project): FitLabel {
  const fit = fitOf(sample, project);
  return { ...words(fit), detail: detailOf(sample, fit) };
}
