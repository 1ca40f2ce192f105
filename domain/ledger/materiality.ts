import { accept, type Decider } from '../shared/decision.js';

/** A finding below this amount is listed and raises no alert, unless its amount in dollars is 0 or absent. */
export interface MaterialityLevel {
  amountMicroUsd: number;
  by: string;
  at: string;
}

/** Stream `materiality`: the newest amount counts. */
export const materialityDecider: Decider<
  { type: 'SetMateriality'; amountMicroUsd: number; by: string; now: string },
  MaterialityLevel | undefined,
  { type: 'MaterialitySet'; data: MaterialityLevel },
  never,
  void
> = {
  streamOf: () => 'materiality',
  initialState: undefined,
  decide: ({ amountMicroUsd, by, now: at }, known) =>
    (known?.amountMicroUsd ?? 0) === amountMicroUsd
      ? accept()
      : accept({ type: 'MaterialitySet', data: { amountMicroUsd, by, at } }),
  evolve: (_, { data }) => data,
};

/** Returns whether a finding raises an alert. One without an amount in dollars, or with 0 dollars, always does. */
export const isMaterial = (level: MaterialityLevel | undefined, amountMicroUsd = 0): boolean =>
  amountMicroUsd === 0 || Math.abs(amountMicroUsd) >= (level?.amountMicroUsd ?? 0);
