import type { Balance } from '../../../application/catalogue/values.js';
import { Segmented } from '../ui/tabs.js';

const OPTIONS: readonly { value: Balance; label: string }[] = [
  { value: 'timbre', label: 'Timbre' },
  { value: 'rhythm', label: 'Rhythm' },
  { value: 'pitch', label: 'Pitch' },
];

export function BalanceChoice(props: { value: Balance; onChange: (balance: Balance) => void }) {
  return <Segmented label="What counts most" options={OPTIONS} {...props} />;
}

/** Two sounds at this distance match by 37 %. */
const SCALE = 250;

/** Returns how well a sound matches, from 0 to 100, for a distance between sounds. */
export const matchOf = (distance: number): number => Math.round(100 * Math.exp(-distance / SCALE));
