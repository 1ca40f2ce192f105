import { useState } from 'react';
import { Select } from '../ui/forms/field.js';

/** A player for several previews, of which staff choose one. */
export function Previews({ of: previews }: { of: readonly { title: string; url: string }[] }) {
  const [at, setAt] = useState(0);
  const chosen = previews[at];
  if (!chosen) return null;
  return (
    <div className="mt-4 flex flex-wrap items-end gap-4">
      {previews.length > 1 && (
        <Select
          label="Sound"
          className="max-w-full"
          value={at}
          options={previews.map(({ title }, index) => [index, title])}
          onChange={(event) => setAt(Number(event.target.value))}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- A sample has no words to write down. */}
      <audio
        controls
        preload="none"
        src={chosen.url}
        className="min-w-60 flex-1"
        aria-label={`Preview of ${chosen.title}`}
      />
    </div>
  );
}
