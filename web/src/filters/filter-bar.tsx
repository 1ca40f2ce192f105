import './filters.css';
import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { FACET_LIMIT, KIND_LABELS } from '../../../application/catalogue/values.js';
import { RemovableChip, Sticker } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import {
  type FilterBarProps,
  FACETS,
  FACET_LABELS,
  FACET_OPTIONS,
  type Facet,
  type Filters,
  NO_FILTERS,
  isTempoActive,
  keyHint,
  keyText,
  tempoText,
  toggleChoice,
} from './filters.js';
import { FitsToggle } from './fits-toggle.js';
import { FilterDropdown, FilterToggle } from './filter-dropdown.js';
import { chosenFacts, NO_FACTS } from './facts.js';
import { chosenSounds } from './sounds.js';
import { TempoSlider } from './tempo-slider.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { Checkbox } from '../ui/forms/field.js';

export interface FacetListProps {
  facet: Facet;
  options: readonly string[];
  /** For each option, the number of its samples that match the other active filters. */
  counts?: Record<string, number>;
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

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

const FilterSheet = lazyWithPreload(() => import('./filter-sheet.js'));
const SoundSliders = lazyWithPreload(() => import('./sound-sliders.js'));
const KeyPicker = lazyWithPreload(async () => ({ default: (await import('./key-picker.js')).KeyPicker }));
const KindField = lazyWithPreload(async () => ({ default: (await import('./fact-fields.js')).KindField }));
const MoreFields = lazyWithPreload(async () => ({ default: (await import('./fact-fields.js')).MoreFields }));

function Chips({ filters, change }: Pick<FilterBarProps, 'filters' | 'change'>) {
  return (
    <>
      {isTempoActive(filters) && (
        <RemovableChip
          label={tempoText(filters)}
          onRemove={() => change({ bpmMin: NO_FILTERS.bpmMin, bpmMax: NO_FILTERS.bpmMax })}
        />
      )}
      {filters.key && <RemovableChip label={keyText(filters.key)} onRemove={() => change({ key: null })} />}
      {chosenFacts(filters).map(({ label, clear }) => (
        <RemovableChip key={label} label={label} onRemove={() => change(clear)} />
      ))}
      {chosenSounds(filters.sounds).map(({ label, without }) => (
        <RemovableChip key={label} label={label} onRemove={() => change({ sounds: without })} />
      ))}
      {FACETS.flatMap((facet) =>
        filters[facet].map((label) => (
          <RemovableChip
            key={label}
            label={label}
            onRemove={() => change({ [facet]: filters[facet].filter((one) => one !== label) })}
          />
        )),
      )}
    </>
  );
}

type Panel = 'key' | 'kind' | 'more' | Facet;

function Dropdowns({ filters, change, facets }: Pick<FilterBarProps, 'filters' | 'change' | 'facets'>) {
  const [opened, setOpened] = useState<Panel | null>(null);
  // The choices in the open panel, which take effect when the visitor presses "Apply".
  const [staged, setStaged] = useState(filters);
  const opener = (which: Panel) => (open: boolean) => {
    if (open) setStaged(filters);
    setOpened((now) => (open ? which : now === which ? null : now));
  };
  const stage = (part: Partial<Filters>) => setStaged((now) => ({ ...now, ...part }));
  const more = chosenFacts({ ...filters, kind: null, fits: false });
  return (
    <>
      <FilterDropdown
        label="Key"
        summary={filters.key && keyText(filters.key)}
        width={474}
        note={keyHint(staged.key)}
        open={opened === 'key'}
        onOpenChange={opener('key')}
        onClear={() => setStaged((now) => ({ ...now, key: null }))}
        onApply={() => change({ key: staged.key })}
      >
        <KeyPicker value={staged.key} onChange={(key) => setStaged((now) => ({ ...now, key }))} />
      </FilterDropdown>
      <FilterDropdown
        label="Kind"
        summary={filters.kind && KIND_LABELS[filters.kind]}
        width={322}
        note=""
        open={opened === 'kind'}
        onOpenChange={opener('kind')}
        onClear={() => setStaged((now) => ({ ...now, kind: null }))}
        onApply={() => change({ kind: staged.kind })}
      >
        <KindField value={staged} onChange={stage} counts={facets} />
      </FilterDropdown>
      {FACETS.map((facet) => (
        <FilterDropdown
          key={facet}
          label={FACET_LABELS[facet]}
          summary={filters[facet].length ? filters[facet].join(', ') : null}
          width={322}
          note={`${staged[facet].length} of ${FACET_LIMIT}`}
          open={opened === facet}
          onOpenChange={opener(facet)}
          onClear={() => setStaged((now) => ({ ...now, [facet]: [] }))}
          onApply={() => change({ [facet]: staged[facet] })}
        >
          <div className="mb-2 flex items-center justify-between">
            <h3 className="text-md font-semibold">{FACET_LABELS[facet]}</h3>
            <span className="text-sm text-muted">Select up to {FACET_LIMIT}</span>
          </div>
          <FacetList
            facet={facet}
            options={FACET_OPTIONS[facet]}
            counts={facets?.[facet]}
            value={staged[facet]}
            onChange={(value) => setStaged((now) => ({ ...now, [facet]: value }))}
          />
        </FilterDropdown>
      ))}
      <FilterDropdown
        label="More"
        summary={more.length > 0 ? more.map(({ label }) => label).join(', ') : null}
        width={360}
        note=""
        open={opened === 'more'}
        onOpenChange={opener('more')}
        onClear={() => setStaged((now) => ({ ...now, ...NO_FACTS, kind: now.kind, fits: now.fits }))}
        onApply={() => change({ ...staged, kind: filters.kind, fits: filters.fits, sounds: filters.sounds })}
      >
        <MoreFields value={staged} onChange={stage} counts={facets} />
      </FilterDropdown>
    </>
  );
}

export function FilterBar(props: FilterBarProps) {
  const { filters, active, change, clear, request, total, facets, clearLabel, sort } = props;
  const [sheet, setSheet] = useState(false);
  const [slides, setSlides] = useState(false);
  const slidersId = useId();
  const sounds = chosenSounds(filters.sounds).length;
  return (
    <>
      <div className="relative z-20 flex items-center border-line max-xl:flex-wrap md:border-b">
        <div className="no-scrollbar flex min-h-14.25 min-w-0 flex-1 items-center gap-2 border-line py-2.25 max-xl:basis-full max-md:overflow-x-auto max-md:border-b md:min-h-16.75 md:flex-wrap md:py-3 gutter">
          <h2 className="display mr-1.5 text-xl max-md:hidden">Filter</h2>
          <Button
            tone={active ? 'secondary' : 'quiet'}
            className={clsx('max-md:min-h-11 max-md:px-3.5 md:hidden', active && 'bg-text! text-page')}
            icon={<SlidersHorizontal size={17} />}
            onClick={() => setSheet(true)}
          >
            Filter
            {active > 0 && (
              <Sticker tone="accent" label={countOf(active, 'active filter')}>
                {active}
              </Sticker>
            )}
          </Button>
          {sort && <div className="ml-auto md:hidden">{sort}</div>}
          <div className="contents max-md:hidden">
            <FitsToggle {...{ filters, change }} />
            <TempoSlider value={filters} onChange={change} />
            {request && (
              <FilterToggle
                label="Sound"
                summary={sounds > 0 ? `${sounds} set` : null}
                open={slides}
                controls={slidersId}
                onPress={() => setSlides(!slides)}
                onPointerEnter={() => void SoundSliders.load().catch(() => undefined)}
              />
            )}
            <Dropdowns {...{ filters, change, facets }} />
          </div>
          <div className="flex gap-2 empty:hidden md:hidden">
            <Chips {...{ filters, change }} />
          </div>
        </div>
        {active > 0 && (
          <div className="flex flex-none items-center gap-6 pr-(--gutter) max-xl:w-full max-xl:justify-between max-xl:px-(--gutter) max-xl:pb-2 max-md:pt-1 max-md:pb-0">
            <span role="status" className="font-semibold">
              {total === undefined ? ' ' : countOf(total, 'result')}
            </span>
            <button type="button" className="underlined py-2" onClick={clear}>
              {clearLabel}
            </button>
          </div>
        )}
        {sheet && (
          <Suspense>
            <FilterSheet {...props} onClose={() => setSheet(false)} />
          </Suspense>
        )}
      </div>
      {request && slides && (
        <div id={slidersId} className="gutter min-h-39 border-b border-line py-4 max-md:hidden">
          <Suspense>
            <SoundSliders
              value={filters.sounds}
              onChange={(next) => change({ sounds: next })}
              request={request}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}
