import { Checkbox } from '../ui/forms/field.js';
import { FACET_LABELS, FACET_LIMIT, type Facet, toggleChoice } from './filters.js';

export interface FacetListProps {
  facet: Facet;
  options: readonly string[];
  /** Samples for each option under the active filters. */
  counts?: Record<string, number>;
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

/** Checkboxes; at most three can be ticked. */
export function FacetList({ facet, options, counts, value, onChange }: FacetListProps) {
  const full = value.length >= FACET_LIMIT;
  if (options.length === 0) return <p className="py-3 text-muted">No options found</p>;
  return (
    <fieldset>
      <legend className="sr-only">
        {FACET_LABELS[facet]}. Select up to {FACET_LIMIT}
      </legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          label={
            <span className="flex gap-2">
              {option}
              {counts?.[option] !== undefined && (
                <span className="text-xs leading-5 text-faint" aria-hidden="true">
                  {counts[option].toLocaleString('en')}
                </span>
              )}
            </span>
          }
          checked={value.includes(option)}
          disabled={full && !value.includes(option)}
          onChange={() => onChange(toggleChoice(value, option))}
        />
      ))}
    </fieldset>
  );
}
