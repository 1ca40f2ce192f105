import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { LANE_BOUNDS } from '../../../application/library/values.js';
import { IconButton } from '../ui/button.js';
import type { Lane } from './song.js';
import { type Amount, AMOUNT_STEPS, setAmount } from './workbench.js';

const minus = (text: string): string => text.replace('-', '−');
export const signed = (amount: number): string => minus(`${amount > 0 ? '+' : ''}${amount}`);

/** A number that is applied as soon as it is typed. @param onChange gets null when the field is emptied */
function NumberField(props: {
  label: string;
  value: number | null;
  step: number;
  onChange: (value: number | null) => void;
}) {
  const { label, value, step, onChange } = props;
  const [text, setText] = useState<string | null>(null);
  return (
    <input
      type="number"
      aria-label={label}
      step={step}
      className="number-field"
      placeholder="–"
      value={text ?? value ?? ''}
      onChange={({ target }) => {
        setText(target.value);
        if (target.value === '') onChange(null);
        else if (Number.isFinite(target.valueAsNumber)) onChange(target.valueAsNumber);
      }}
      onBlur={() => setText(null)}
    />
  );
}

/** A number with a button on each side. @param props.step the amount that a press adds or subtracts */
export function Stepper(props: {
  label: string;
  unit: string;
  value: number | null;
  step: number;
  onChange: (value: number | null) => void;
}) {
  const { label, unit, value, step, onChange } = props;
  return (
    <span className="stepper" role="group" aria-label={label}>
      <IconButton label={`${label}: less`} onClick={() => onChange((value ?? 0) - step)}>
        <Minus size={12} />
      </IconButton>
      <NumberField {...props} />
      <span className="text-faint" aria-hidden="true">
        {unit}
      </span>
      <IconButton label={`${label}: more`} onClick={() => onChange((value ?? 0) + step)}>
        <Plus size={12} />
      </IconButton>
    </span>
  );
}

interface Scale {
  amount: Extract<Amount, 'gainDb' | 'pan'>;
  label: string;
  /** The factor from the lane's value to the number on screen: a pan of 0.5 is shown as 50. */
  shown: number;
  textOf: (value: number) => string;
}

export const LEVEL: Scale = {
  amount: 'gainDb',
  label: 'Level',
  shown: 1,
  textOf: (value) => minus(String(value)),
};
export const PAN: Scale = {
  amount: 'pan',
  label: 'Pan',
  shown: 100,
  textOf: (value) => (value === 0 ? 'C' : `${value < 0 ? 'L' : 'R'} ${Math.abs(value)}`),
};
/** The lowest level of a slider. Lower levels can only be typed. */
const LEAST_DB = -30;

/** A slider, and its value: as a field while its lane has the focus, else as a text. */
export function LaneSlider({ lane, scale, isOpen }: { lane: Lane; scale: Scale; isOpen: boolean }) {
  const { amount, label, shown, textOf } = scale;
  const bounds = LANE_BOUNDS[amount];
  const min = amount === 'gainDb' ? LEAST_DB : bounds.min;
  const value = lane[amount];
  const share = (Math.max(min, value) - min) / (bounds.max - min);
  const zero = amount === 'pan' ? 0.5 : 0;
  const text = textOf(Math.round(value * shown * 10) / 10);
  return (
    <span className="flex items-center gap-2">
      <span className="text-sm text-muted lg:hidden" aria-hidden="true">
        {label}
      </span>
      <input
        type="range"
        className="lane-slider"
        aria-label={label}
        aria-valuetext={amount === 'gainDb' ? `${text} dB` : text}
        min={min}
        max={bounds.max}
        step={AMOUNT_STEPS[amount]}
        value={Math.max(min, value)}
        onChange={({ target }) => setAmount(lane.id, amount, target.valueAsNumber)}
        style={{ '--from': Math.min(share, zero), '--to': Math.max(share, zero) } as object}
      />
      <span className="narrow w-9.5 flex-none text-right text-xs text-muted">
        {isOpen ? (
          <NumberField
            label={amount === 'gainDb' ? 'Level in dB' : 'Pan in percent, left is negative'}
            step={1}
            value={Math.round(value * shown * 10) / 10}
            onChange={(next) => setAmount(lane.id, amount, (next ?? 0) / shown)}
          />
        ) : (
          text
        )}
      </span>
    </span>
  );
}
