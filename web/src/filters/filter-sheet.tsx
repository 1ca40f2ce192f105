import { useState } from 'react';
import { FACET_LIMIT } from '../../../application/catalogue/values.js';
import { useProject } from '../project/project.js';
import { Chip } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import {
  type FilterBarProps,
  type Filters,
  FACETS,
  FACET_LABELS,
  FACET_OPTIONS,
  NO_FILTERS,
  requestOf,
  toggleChoice,
} from './filters.js';
import { FitsToggle } from './fits-toggle.js';
import { KindField, MoreFields } from './fact-fields.js';
import { KeyPicker } from './key-picker.js';
import SoundSliders from './sound-sliders.js';
import { TempoSlider } from './tempo-slider.js';

export default function FilterSheet(props: FilterBarProps & { onClose: () => void }) {
  const { filters, facets, change, request, onClose } = props;
  const [staged, setStaged] = useState(filters);
  const project = useProject();
  const facts = {
    value: staged,
    onChange: (part: Partial<Filters>) => setStaged((now) => ({ ...now, ...part })),
    counts: facets,
  };
  return (
    <Dialog
      open
      shape="sheet"
      title="Filter"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => setStaged(NO_FILTERS)}>Clear</Button>
          <Button
            tone="primary"
            onClick={() => {
              change(staged);
              onClose();
            }}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className="grid gap-7 pb-2">
        <div>
          <FitsToggle filters={staged} change={facts.onChange} />
        </div>
        <TempoSlider value={staged} onChange={(range) => setStaged((now) => ({ ...now, ...range }))} />
        <KeyPicker value={staged.key} onChange={(key) => setStaged((now) => ({ ...now, key }))} />
        <KindField {...facts} />
        {request && (
          <SoundSliders
            value={staged.sounds}
            onChange={(sounds) => setStaged((now) => ({ ...now, sounds }))}
            request={{ ...request, ...requestOf(staged, project) }}
          />
        )}
        <MoreFields {...facts} />
        {FACETS.map((facet) => (
          <fieldset key={facet}>
            <legend className="mb-3 flex w-full justify-between">
              <span className="text-md font-semibold">{FACET_LABELS[facet]}</span>
              <span className="text-sm text-muted">Select up to {FACET_LIMIT}</span>
            </legend>
            <div className="flex flex-wrap gap-2">
              {FACET_OPTIONS[facet].map((label) => {
                const pressed = staged[facet].includes(label);
                return (
                  <Chip
                    key={label}
                    pressed={pressed}
                    disabled={!pressed && staged[facet].length >= FACET_LIMIT}
                    onClick={() => setStaged((now) => ({ ...now, [facet]: toggleChoice(now[facet], label) }))}
                  >
                    {label}
                  </Chip>
                );
              })}
            </div>
          </fieldset>
        ))}
      </div>
    </Dialog>
  );
}
