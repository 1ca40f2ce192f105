import type { ReactNode } from 'react';
import type { SamplePage } from '../../../application/catalogue/contract.js';
import {
  COST_MAX_CREDITS,
  KIND_LABELS,
  KINDS,
  LENGTH_MAX_SECONDS,
  ORIGIN_LABELS,
  ORIGINS,
} from '../../../application/catalogue/values.js';
import { useSession } from '../session/session.js';
import { Chip } from '../ui/badge.js';
import { countOf } from '../ui/format.js';
import { Input } from '../ui/forms/field.js';
import type { Facts } from './facts.js';

export interface FactFieldsProps {
  value: Facts;
  onChange: (part: Partial<Facts>) => void;
  /** For each choice, the number of its samples that match the other active filters. */
  counts?: SamplePage['facets'] | undefined;
}

function Fieldset({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-3 text-md font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  );
}

function Choice(props: { label: string; count?: number | undefined; pressed: boolean; onPress: () => void }) {
  const { label, count, pressed, onPress } = props;
  return (
    <Chip pressed={pressed} onClick={onPress}>
      {label}
      {count !== undefined && (
        <span className="text-xs" aria-hidden="true">
          {count.toLocaleString('en')}
        </span>
      )}
    </Chip>
  );
}

/** A field to choose the kind of a sample. A second press on the chosen kind clears the choice. */
export function KindField({ value, onChange, counts }: FactFieldsProps) {
  return (
    <Fieldset legend="Kind">
      {KINDS.map((kind) => (
        <Choice
          key={kind}
          label={KIND_LABELS[kind]}
          count={counts && (counts.kind[kind] ?? 0)}
          pressed={value.kind === kind}
          onPress={() => onChange({ kind: value.kind === kind ? null : kind })}
        />
      ))}
    </Fieldset>
  );
}

function LengthField({ value, onChange }: FactFieldsProps) {
  const bound = (name: 'secondsMin' | 'secondsMax', label: string) => (
    <Input
      type="number"
      label={label}
      min={0}
      max={LENGTH_MAX_SECONDS}
      step={0.1}
      inputMode="decimal"
      className="w-28"
      value={value[name] ?? ''}
      onChange={({ target }) => {
        const seconds = target.valueAsNumber;
        onChange({ [name]: seconds >= 0 && seconds <= LENGTH_MAX_SECONDS ? seconds : null });
      }}
    />
  );
  return (
    <Fieldset legend="Length in seconds">
      {bound('secondsMin', 'From')}
      {bound('secondsMax', 'To')}
    </Fieldset>
  );
}

const PRICES = Array.from({ length: COST_MAX_CREDITS - 1 }, (_, at) => at + 1);

export function MoreFields(props: FactFieldsProps) {
  const { value, onChange, counts } = props;
  const isSignedIn = useSession().status === 'signed-in';
  const upTo = (credits: number): number =>
    PRICES.reduce((sum, price) => sum + (price > credits ? 0 : (counts?.credits[price] ?? 0)), 0);
  const toggle = (name: 'hasMidi' | 'hasStems', label: string) => (
    <Choice
      label={label}
      count={counts && (counts[name].true ?? 0)}
      pressed={value[name]}
      onPress={() => onChange({ [name]: !value[name] })}
    />
  );
  const owned = (isOwned: boolean, label: string) => (
    <Choice
      label={label}
      pressed={value.owned === isOwned}
      onPress={() => onChange({ owned: value.owned === isOwned ? null : isOwned })}
    />
  );
  return (
    <div className="grid gap-5">
      <LengthField {...props} />
      <Fieldset legend="Comes with">
        {toggle('hasMidi', 'MIDI')}
        {toggle('hasStems', 'Stems')}
      </Fieldset>
      <Fieldset legend="Price up to">
        {PRICES.map((credits) => (
          <Choice
            key={credits}
            label={countOf(credits, 'credit')}
            count={counts && upTo(credits)}
            pressed={value.creditsMax === credits}
            onPress={() => onChange({ creditsMax: value.creditsMax === credits ? null : credits })}
          />
        ))}
      </Fieldset>
      <Fieldset legend="Origin">
        {ORIGINS.map((origin) => {
          const others = value.origins.filter((each) => each !== origin);
          const pressed = value.origins.includes(origin);
          return (
            <Choice
              key={origin}
              label={ORIGIN_LABELS[origin]}
              count={counts && (counts.origin[origin] ?? 0)}
              pressed={pressed}
              onPress={() => onChange({ origins: pressed ? others : [...others, origin] })}
            />
          );
        })}
      </Fieldset>
      {isSignedIn && (
        <Fieldset legend="In my library">
          {owned(false, 'Not owned')}
          {owned(true, 'Owned')}
        </Fieldset>
      )}
    </div>
  );
}
