import type { SoundHistograms } from '../../../application/catalogue/contract.js';
import { HISTOGRAM_BARS } from '../../../application/catalogue/values.js';
import type { TrackFilter } from '../../../domain/catalogue/filter.js';
import { COMPARED, FACT_MAX, SOUND_FACTS } from '../../../domain/catalogue/sound/facts.js';
import type { LiveCatalogue } from './live-catalogue.js';
import { PassingSounds } from './passing-sounds.js';
import type { Scope } from './rows.js';
import type { TextMatches } from './text-matches.js';

/** Histograms of more samples look the same. */
const COUNTED_LIMIT = 100_000;

const bars = (): number[] => Array.from({ length: HISTOGRAM_BARS }, () => 0);

export const noHistograms = (): SoundHistograms => ({
  brightness: bars(),
  punch: bars(),
  decay: bars(),
  noisiness: bars(),
  warmth: bars(),
});

/** Counts, for each fact, the samples that pass all filters except the one by that fact. */
export function soundHistograms(
  live: LiveCatalogue,
  filter: TrackFilter,
  scope: Scope,
  matches: TextMatches | undefined,
): SoundHistograms {
  const histograms = noHistograms();
  const every = { ...filter, sounds: [] };
  const { soundFacts, size } = live.segment;
  const values = new Uint8Array(SOUND_FACTS.length);
  for (const number of new PassingSounds(live, every, scope, matches?.bits).all(COUNTED_LIMIT)) {
    for (let at = 0; at < values.length; at++) values[at] = soundFacts[at * size + number] as number;
    if ((values[0] as number) <= FACT_MAX) count(histograms, values, filter);
  }
  for (const row of live.changed.rowsPassing(every, scope))
    if (row.sound && (matches?.hasRow(row) ?? true))
      count(histograms, row.sound.descriptors.subarray(COMPARED), filter);
  return histograms;
}

/** @param values the facts of one sample, in the order of `SOUND_FACTS` */
function count(histograms: SoundHistograms, values: ArrayLike<number>, { sounds = [] }: TrackFilter): void {
  const outside = sounds.filter(({ fact, min, max }) => {
    const value = values[SOUND_FACTS.indexOf(fact)] as number;
    return value < min || value > max;
  });
  if (outside.length > 1) return;
  for (const [at, fact] of SOUND_FACTS.entries()) {
    if (outside[0] && outside[0].fact !== fact) continue;
    const bar = Math.min(
      HISTOGRAM_BARS - 1,
      Math.floor(((values[at] as number) * HISTOGRAM_BARS) / FACT_MAX),
    );
    histograms[fact][bar] = (histograms[fact][bar] as number) + 1;
  }
}
