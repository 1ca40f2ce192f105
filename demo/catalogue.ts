import type { MusicalKey } from '../domain/catalogue/vocabulary.js';
import { BRIGHT_CORNERS } from './catalogue/bright-corners.js';
import type { DemoPack, DemoSample } from './catalogue/entries.js';
import { NIGHT_SHIFT } from './catalogue/night-shift.js';
import { SLOW_ROOMS } from './catalogue/slow-rooms.js';
import { SOUL_AND_BREAKS } from './catalogue/soul-and-breaks.js';
import { TEO_MARCHETTI } from './catalogue/teo-marchetti.js';
import { WORKSHOP } from './catalogue/workshop.js';
import type { SoundPlan } from './make.js';

export const DEMO_PACKS: readonly DemoPack[] = [
  ...TEO_MARCHETTI,
  ...SOUL_AND_BREAKS,
  ...NIGHT_SHIFT,
  ...SLOW_ROOMS,
  ...BRIGHT_CORNERS,
  ...WORKSHOP,
];

export function planOf(pack: DemoPack, sample: DemoSample): SoundPlan {
  const { bpm, key, swing, loose, bits } = pack;
  const progression = sample.progression ?? progressionFor(pack, sample);
  return { bpm, key, swing, loose, bits, ...sample, progression, seed: `${pack.name}/${sample.name}` };
}

/**
 * Returns a sample's chords. In a loop of two bars, held chords change twice a bar, so that the loop contains all
 * four chords of the pack.
 */
function progressionFor(pack: DemoPack, { recipe, bars }: DemoSample): string {
  const chords = pack.progression.split(' ');
  if (recipe.kind !== 'comp' || recipe.comp !== 'held' || bars > 2 || chords.length !== 4)
    return pack.progression;
  return `${chords[0]}/${chords[1]} ${chords[2]}/${chords[3]}`;
}

/** Returns the tempo and key of a sample. Single sounds have tempo 0, and noises have no key. */
export function labelsOf(pack: DemoPack, sample: DemoSample): { bpm: number; key: MusicalKey | null } {
  const single = ['hit', 'shot', 'effect'].includes(sample.recipe.kind);
  return {
    bpm: single ? 0 : (sample.bpm ?? pack.bpm),
    key: sample.keyless ? null : (sample.key ?? pack.key),
  };
}
