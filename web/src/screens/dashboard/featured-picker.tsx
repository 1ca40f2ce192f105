import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { FEATURED_LIMIT, type FeaturedSample } from '../../../../application/profiles/contract.js';
import { featuredCandidatesQuery } from '../../api/profile.js';
import { messageOf } from '../../api/http.js';
import { IconButton } from '../../ui/button.js';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

function Names({ sample }: { sample: FeaturedSample }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-semibold">{sample.title}</span>
      <span className="block truncate text-sm text-muted">{sample.pack}</span>
    </span>
  );
}

function moved(samples: readonly FeaturedSample[], from: number, step: 1 | -1): FeaturedSample[] {
  const next = [...samples];
  const [sample] = next.splice(from, 1);
  if (sample) next.splice(from + step, 0, sample);
  return next;
}

function Chosen({
  samples,
  onChange,
}: {
  samples: readonly FeaturedSample[];
  onChange: (next: FeaturedSample[]) => void;
}) {
  return (
    <ol aria-label="Featured samples" className="border-t border-line">
      {samples.map((sample, index) => (
        <li key={sample.id} className="flex min-h-12 items-center gap-1 border-b border-line pl-1">
          <Names sample={sample} />
          <IconButton
            label={`Move ${sample.title} up`}
            disabled={index === 0}
            onClick={() => onChange(moved(samples, index, -1))}
          >
            <ArrowUp {...icon} />
          </IconButton>
          <IconButton
            label={`Move ${sample.title} down`}
            disabled={index === samples.length - 1}
            onClick={() => onChange(moved(samples, index, 1))}
          >
            <ArrowDown {...icon} />
          </IconButton>
          <IconButton
            label={`Stop featuring ${sample.title}`}
            onClick={() => onChange(samples.filter(({ id }) => id !== sample.id))}
          >
            <X {...icon} />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}

/** Up to ten samples that head the public page, in the order chosen. One file is one sound: none is offered twice. */
export function FeaturedPicker(props: {
  chosen: readonly FeaturedSample[];
  onChange: (samples: FeaturedSample[]) => void;
}) {
  const { chosen, onChange } = props;
  const [text, setText] = useState('');
  const { data, error } = useQuery(featuredCandidatesQuery);
  const taken = new Set(chosen.map(({ fileUrl }) => fileUrl));
  const wanted = text.trim().toLowerCase();
  const offered = (data?.items ?? []).filter(
    ({ fileUrl, title, pack }) => !taken.has(fileUrl) && `${title} ${pack}`.toLowerCase().includes(wanted),
  );
  const full = chosen.length >= FEATURED_LIMIT;
  return (
    <section aria-labelledby="featured-title" className="panel p-6">
      <div className="mb-4 flex items-baseline justify-between gap-3">
        <h3 id="featured-title" className="text-lg font-semibold">
          Featured samples
        </h3>
        <p role="status" className="text-sm text-muted">
          {chosen.length} of {FEATURED_LIMIT}
        </p>
      </div>
      <Chosen samples={chosen} onChange={onChange} />
      <input
        type="search"
        className="field mt-5 mb-2"
        aria-label="Find a sample"
        placeholder="Find a sample"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error && <p className="text-danger">{messageOf(error)}</p>}
      {data && (
        <ul aria-label="Samples to feature" className="max-h-72 overflow-y-auto">
          {offered.map((sample) => (
            <li key={sample.id} className="flex min-h-12 items-center gap-1 border-b border-line pl-1">
              <Names sample={sample} />
              <IconButton
                label={`Feature ${sample.title}`}
                disabled={full}
                onClick={() => onChange([...chosen, sample])}
              >
                <Plus {...icon} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {data && offered.length === 0 && <p className="py-4 text-center text-muted">No options found</p>}
    </section>
  );
}
