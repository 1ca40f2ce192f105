import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { query } from '../../api/api.js';
import { type FeaturedSample } from '../../../../application/profiles/contract.js';
import { FEATURED_LIMIT } from '../../../../application/profiles/values.js';
import { messageOf } from '../../api/transport/http.js';
import { IconButton } from '../../ui/button.js';
import { useDebouncedValue } from '../../ui/hooks/use-debounced-value.js';
import { OrderedPicks } from '../../ui/forms/ordered-picks.js';

const PAUSE_MS = 200;

function Names({ sample }: { sample: FeaturedSample }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-semibold">{sample.title}</span>
      <span className="block truncate text-sm text-muted">{sample.pack}</span>
    </span>
  );
}

/**
 * Chooses up to ten samples for the top of the public page, in order. The picker does not offer a sample whose file
 * is already chosen.
 */
export function FeaturedPicker(props: {
  chosen: readonly FeaturedSample[];
  onChange: (samples: FeaturedSample[]) => void;
}) {
  const { chosen, onChange } = props;
  const [text, setText] = useState('');
  const searched = useDebouncedValue(text.trim(), PAUSE_MS);
  const { data, error, isPlaceholderData } = useQuery(
    query('GET /api/creator/featured-candidates', { query: { q: searched || undefined } }),
  );
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
      <OrderedPicks label="Featured samples" items={chosen} nameOf={({ title }) => title} onChange={onChange}>
        {(sample) => <Names sample={sample} />}
      </OrderedPicks>
      <input
        type="search"
        className={clsx('field mb-2', chosen.length > 0 && 'mt-5')}
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
                <Plus size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {data && offered.length === 0 && !isPlaceholderData && searched === text.trim() && (
        <p className="py-4 text-center text-muted">No options found</p>
      )}
    </section>
  );
}
