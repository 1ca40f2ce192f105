import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { INSTRUMENTS, type Instrument } from '../../../../application/catalogue/values.js';
import {
  COST_MAX_CREDITS,
  COST_MIN_CREDITS,
  CURRENT_SHARE_POLICY,
  INSTRUMENTS_LIMIT,
} from '../../../../application/publishing/values.js';
import { Chip } from '../../ui/badge.js';
import { isComposing } from '../../ui/forms/list-keys.js';
import { Field } from '../../ui/forms/field.js';
import { toast } from '../../ui/overlays/toast.js';

const QUICK_ADD = INSTRUMENTS.slice(0, 8);
export const COSTS = Array.from(
  { length: COST_MAX_CREDITS - COST_MIN_CREDITS + 1 },
  (_, at) => COST_MIN_CREDITS + at,
);

/**
 * Shows instruments as chips. The creator types them, or presses one of the first eight of `INSTRUMENTS`. Ignores
 * duplicates, blanks and instruments over the limit.
 */
export function InstrumentsField(props: {
  value: readonly Instrument[];
  onChange: (value: Instrument[]) => void;
}) {
  const { value, onChange } = props;
  const [text, setText] = useState('');
  const list = useId();
  const add = (name: string) => {
    const wanted = name.trim().toLowerCase();
    setText('');
    if (!wanted) return;
    const known = INSTRUMENTS.find((instrument) => instrument.toLowerCase() === wanted);
    if (!known)
      return toast({ title: 'No such instrument', description: 'Choose one from the list.', tone: 'info' });
    if (!value.includes(known) && value.length < INSTRUMENTS_LIMIT) onChange([...value, known]);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) return;
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1));
  };
  const type = (typed: string) => {
    // Adds a complete name at once, without Enter, because the creator usually chose it from the list.
    if (INSTRUMENTS.includes(typed as Instrument)) add(typed);
    else setText(typed);
  };
  return (
    <Field label="Instruments">
      {(control) => (
        <>
          <div className="flex min-h-11 flex-wrap gap-1.5 rounded border border-strong bg-inset px-1.5 py-1.25 light:bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-(--focus)">
            {value.map((name) => (
              <Chip
                key={name}
                className="chip-on"
                aria-label={`Remove ${name}`}
                onClick={() => onChange(value.filter((other) => other !== name))}
              >
                {name}
                <X size={14} />
              </Chip>
            ))}
            <input
              {...control}
              className="min-w-0 flex-[1_1_120px] px-2 text-md outline-none placeholder:text-faint"
              list={list}
              value={text}
              placeholder={value.length > 0 ? 'Add another' : 'Add an instrument'}
              onChange={(event) => type(event.target.value)}
              onKeyDown={press}
            />
            <datalist id={list}>
              {INSTRUMENTS.filter((name) => !value.includes(name)).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </datalist>
          </div>
          <div className="mt-2 flex flex-wrap gap-1.5">
            {QUICK_ADD.filter((name) => !value.includes(name)).map((name) => (
              <Chip key={name} aria-label={`Add ${name}`} onClick={() => add(name)}>
                <Plus size={14} />
                {name}
              </Chip>
            ))}
          </div>
        </>
      )}
    </Field>
  );
}

export function CostField({ value, onChange }: { value: number; onChange: (cost: number) => void }) {
  return (
    <div role="group" aria-label="Credit cost">
      <p className="mb-2 font-semibold">Credit cost</p>
      <div className="flex items-center gap-1.5">
        {COSTS.map((cost) => (
          <button
            key={cost}
            type="button"
            className="h-10 w-11 border border-strong bg-inset font-[650] hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent aria-pressed:cut-corner-9 light:not-aria-pressed:bg-surface"
            aria-pressed={cost === value}
            aria-label={cost === 1 ? '1 credit' : `${cost} credits`}
            onClick={() => onChange(cost)}
          >
            {cost}
          </button>
        ))}
        <p className="ml-3 max-w-[20ch] text-sm leading-tight text-muted">
          You earn {CURRENT_SHARE_POLICY.shareBps / 100}% of the value of each credit
        </p>
      </div>
    </div>
  );
}
