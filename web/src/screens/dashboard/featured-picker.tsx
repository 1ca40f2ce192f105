import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { FeaturedCandidates, FeaturedSample } from '../../../../application/profiles/contract.js';
import { api, messageOf } from '../../api/http.js';

const MOST = 10;

/** The samples that head the public page, at most ten, in the order they were chosen. */
export function FeaturedPicker(props: {
  value: readonly FeaturedSample[];
  onChange: (samples: FeaturedSample[]) => void;
}) {
  const { value, onChange } = props;
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    queryKey: ['creator', 'featured-candidates'],
    queryFn: ({ signal }) => api.get<FeaturedCandidates>('/api/creator/featured-candidates', { signal }),
  });
  const full = value.length >= MOST;
  // One file is one sound, however many rows name it.
  const isChosen = (sample: FeaturedSample) => value.some(({ fileUrl }) => fileUrl === sample.fileUrl);
  const wanted = text.trim().toLowerCase();
  const shown =
    data?.items.filter(({ title, pack }) => `${title} ${pack}`.toLowerCase().includes(wanted)) ?? [];
  const toggle = (sample: FeaturedSample) =>
    onChange(
      isChosen(sample)
        ? value.filter(({ fileUrl }) => fileUrl !== sample.fileUrl)
        : [...value, sample].slice(0, MOST),
    );
  return (
    <fieldset>
      <legend className="mb-2 flex w-full items-baseline justify-between font-semibold">
        Featured samples
        <span className="text-[13px] font-normal text-faint" role="status">
          {value.length} of {MOST}
        </span>
      </legend>
      {value.length > 0 && (
        <ol className="mb-3 flex flex-wrap gap-1.5" aria-label="Chosen">
          {value.map((sample) => (
            <li key={sample.fileUrl}>
              <button
                type="button"
                className="chip chip-on"
                aria-label={`Remove ${sample.title}`}
                onClick={() => toggle(sample)}
              >
                {sample.title}
                <X size={14} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ol>
      )}
      {error && <p className="text-danger">{messageOf(error)}</p>}
      {data?.items.length === 0 && (
        <p className="text-muted">Samples of published packs can be featured here.</p>
      )}
      {data && data.items.length > 0 && (
        <>
          <input
            type="search"
            className="field"
            aria-label="Search your samples"
            placeholder="Search your samples"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <ul className="mt-2 max-h-64 overflow-y-auto border border-line" aria-label="Your samples">
            {shown.map((sample) => {
              const chosen = isChosen(sample);
              return (
                <li key={sample.id} className="border-b border-line last:border-0">
                  <label className="flex min-h-11 items-center gap-3 px-3 hover:bg-hover">
                    <input
                      type="checkbox"
                      className="checkbox"
                      checked={chosen}
                      disabled={full && !chosen}
                      onChange={() => toggle(sample)}
                    />
                    <span className="min-w-0 flex-1 truncate font-semibold">{sample.title}</span>
                    <span className="truncate text-[13px] text-muted">{sample.pack}</span>
                  </label>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </fieldset>
  );
}
