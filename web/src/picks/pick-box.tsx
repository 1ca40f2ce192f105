import { clsx } from 'clsx';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { Button } from '../ui/button.js';
import {
  type Picked,
  beginPicking,
  canPick,
  pick,
  pickOf,
  pressPick,
  useIsPicked,
  usePicks,
} from './picks.js';

/** The checkbox of a sample in a list. @param list the samples in order, for a range with Shift */
export function PickBox(props: {
  thing: Picked;
  list: () => readonly Picked[];
  className?: string;
  tabIndex?: number;
}) {
  const { thing, list, className, tabIndex } = props;
  const isPicked = useIsPicked(thing.id);
  return (
    <input
      type="checkbox"
      className={clsx('checkbox', className)}
      aria-label={`Select ${thing.title}`}
      checked={isPicked}
      disabled={!canPick(thing)}
      tabIndex={tabIndex}
      onChange={({ nativeEvent }) => {
        const range = nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey;
        pressPick(list(), thing.id, { range });
      }}
    />
  );
}

/** A checkbox that picks or drops all loaded samples of a list. */
export function PickAll({ list, className }: { list: readonly Picked[]; className?: string }) {
  const picks = usePicks();
  const box = useRef<HTMLInputElement>(null);
  const things = list.filter(canPick);
  const count = things.filter(({ id }) => picks.has(id)).length;
  const all = things.length > 0 && count === things.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !all;
  });
  return (
    <input
      ref={box}
      type="checkbox"
      className={clsx('checkbox', className)}
      aria-label={`Select all ${things.length.toLocaleString('en')} shown`}
      checked={all}
      disabled={things.length === 0}
      onChange={() => pick(things, !all)}
    />
  );
}

/** A button for phones that shows the checkboxes of lists. */
export const PickButton = () => (
  <Button tone="quiet" size="small" className="pick-button" onClick={beginPicking}>
    Select
  </Button>
);

const KEEPS_PRESS = 'a, button, input, .waveform';

const withModifier = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean => ctrlKey || metaKey || shiftKey;

/** In a list, a press with Ctrl, Cmd or Shift picks or drops the row. Links and controls keep their own meaning. */
export const pickByPress = (samples: readonly Sample[]) => ({
  onMouseDown: (event: MouseEvent<HTMLElement>) => {
    // Without this, a press with Shift would select the text since the press before.
    if (event.shiftKey) event.preventDefault();
  },
  onClick: (event: MouseEvent<HTMLElement>) => {
    if (!withModifier(event) || !(event.target instanceof Element)) return;
    if (event.target.closest(KEEPS_PRESS)) return;
    const id = event.target.closest<HTMLElement>('[data-sample]')?.dataset.sample;
    if (id) pressPick(samples.map(pickOf), id, { range: event.shiftKey });
  },
});
