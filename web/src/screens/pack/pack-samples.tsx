import { SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { PackDetail, Sample } from '../../../../application/catalogue/contract.js';
import { useOwnedAmong } from '../../downloads/owned.js';
import { paths } from '../../paths.js';
import { SampleList } from '../../samples/sample-list.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { SelectControl } from '../../ui/forms/field.js';
import { EmptyState } from '../../ui/states.js';

const ORDERS = {
  pack: { label: 'Pack order', compare: null },
  title: { label: 'Title', compare: (a: Sample, b: Sample) => a.title.localeCompare(b.title, 'en') },
  tempo: { label: 'Tempo', compare: (a: Sample, b: Sample) => a.bpm - b.bpm },
  key: { label: 'Key', compare: (a: Sample, b: Sample) => (a.key ?? '~').localeCompare(b.key ?? '~', 'en') },
  length: { label: 'Length', compare: (a: Sample, b: Sample) => a.durationMs - b.durationMs },
} as const;
type Order = keyof typeof ORDERS;

function matches(sample: Sample, text: string): boolean {
  const words = [sample.title, sample.key ?? '', String(sample.bpm), ...sample.instruments].join(' ');
  return words.toLowerCase().includes(text.trim().toLowerCase());
}

/** The samples of a pack, in the pack's order or another one, filtered by a text. */
export function PackSamples({ pack }: { pack: PackDetail }) {
  const [order, setOrder] = useState<Order>('pack');
  const [narrowing, setNarrowing] = useState(false);
  const [text, setText] = useState('');
  const shown = useMemo(() => {
    const found =
      narrowing && text.trim() ? pack.samples.filter((sample) => matches(sample, text)) : pack.samples;
    const { compare } = ORDERS[order];
    return compare ? [...found].sort(compare) : found;
  }, [pack.samples, narrowing, text, order]);
  const owned = useOwnedAmong(pack.samples).length;
  if (pack.samples.length === 0) {
    return (
      <div className="gutter pt-8">
        <EmptyState
          title="No samples found"
          action={<ButtonLink to={paths.sounds}>Browse Sounds</ButtonLink>}
        >
          This pack is still empty.
        </EmptyState>
      </div>
    );
  }
  return (
    <section aria-label="Samples" className="gutter">
      <div className="flex flex-wrap items-center gap-3 py-4">
        <h2 className="display text-3xl">Samples</h2>
        <p className="ml-1 text-muted max-md:hidden">
          {pack.samples.length.toLocaleString('en')}
          {owned > 0 && `, of which you own ${owned.toLocaleString('en')}`}
        </p>
        <span className="flex-1" />
        {narrowing && (
          <input
            type="search"
            aria-label="Filter samples"
            placeholder="Title, key, tempo, instrument"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- It comes when the button beside it is pressed.
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="field min-h-8.5! max-w-64 py-0 text-base!"
          />
        )}
        <Button
          tone="quiet"
          size="small"
          aria-pressed={narrowing}
          className="bg-transparent! max-md:hidden"
          icon={<SlidersHorizontal size={16} />}
          onClick={() => setNarrowing((now) => !now)}
        >
          Filter
        </Button>
        <SelectControl
          aria-label="Order"
          value={order}
          onChange={(event) => setOrder(event.target.value as Order)}
          className="min-h-8.5! border-line! bg-transparent! py-0 text-sm! font-[550]"
        >
          {Object.entries(ORDERS).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectControl>
      </div>
      {shown.length > 0 ? (
        <SampleList samples={shown} place="pack" label={`Samples of ${pack.title}`} headings />
      ) : (
        <EmptyState
          title="No samples found"
          action={<Button onClick={() => setText('')}>Show all samples</Button>}
        >
          Nothing in this pack matches “{text.trim()}”.
        </EmptyState>
      )}
    </section>
  );
}
