import { BRIGHT_CORNERS } from './catalogue/bright-corners.js';
import type { DemoPack, DemoSample } from './catalogue/entries.js';
import { NIGHT_SHIFT } from './catalogue/night-shift.js';
import { SLOW_ROOMS } from './catalogue/slow-rooms.js';
import { SOUL_AND_BREAKS } from './catalogue/soul-and-breaks.js';
import { WORKSHOP } from './catalogue/workshop.js';
import type { SoundPlan } from './make.js';

/** Everything the demo shop has on its shelves. */
export const DEMO_PACKS: readonly DemoPack[] = [
  ...SOUL_AND_BREAKS,
  ...NIGHT_SHIFT,
  ...SLOW_ROOMS,
  ...BRIGHT_CORNERS,
  ...WORKSHOP,
];

/** How a sample of a pack is to be made. */
export function planOf(pack: DemoPack, sample: DemoSample): SoundPlan {
  return {
    name: sample.name,
    seed: `${pack.name}/${sample.name}`,
    bpm: sample.bpm ?? pack.bpm,
    key: sample.key ?? pack.key,
    progression: sample.progression ?? pack.progression,
    bars: sample.bars,
    swing: pack.swing,
    loose: pack.loose,
    recipe: sample.recipe,
    bits: pack.bits,
    mono: sample.mono,
    midi: sample.midi,
    stems: sample.stems,
  };
}
