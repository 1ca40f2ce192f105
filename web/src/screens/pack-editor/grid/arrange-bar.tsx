import { ArrowDown, ArrowUp, ListOrdered, Sparkles, WandSparkles } from 'lucide-react';
import { useState } from 'react';
import type { OwnPack } from '../../../../../application/publishing/contract.js';
import { Button, IconButton } from '../../../ui/button.js';
import { SelectControl } from '../../../ui/forms/field.js';
import { reorder } from '../pack-actions.js';
import { FILTERS, shownOf, SORTS, type SortId } from './arrange.js';
import { BulkDialog } from './bulk-dialog.js';
import { percentOf, suggestionsIn } from './suggested.js';
import type { Grid } from './use-grid.js';

const CONFIDENCES = [0.95, 0.9, 0.8, 0.7, 0.5, 0] as const;
const SMALL = 'min-h-10! text-base!';

/** Accepts suggestions of at least the chosen confidence, for empty cells of the shown rows. */
function Suggestions({ grid }: { grid: Grid }) {
  const [atLeast, setAtLeast] = useState(0.8);
  const all = suggestionsIn(grid.view, grid.drafts, 0).length;
  if (all === 0) return null;
  const count = suggestionsIn(grid.view, grid.drafts, atLeast).length;
  return (
    <span className="flex items-center gap-2" role="group" aria-label="Suggestions">
      <SelectControl
        aria-label="Suggestions to accept"
        className={SMALL}
        value={atLeast}
        options={CONFIDENCES.map((each) => [
          each,
          each === 0 ? 'All detected' : `Detected, ${percentOf(each)} sure`,
        ])}
        onChange={({ target }) => setAtLeast(Number(target.value))}
      />
      <Button icon={<Sparkles size={16} />} disabled={count === 0} onClick={() => grid.accept(atLeast)}>
        Accept {count}
      </Button>
    </span>
  );
}

/** Sorts and filters the rows, accepts suggestions, and changes a column in many rows at once. */
export function ArrangeBar({ grid, pack }: { grid: Grid; pack: OwnPack }) {
  const [isChanging, setChanging] = useState(false);
  const { wanted, arrange, view, samples } = grid;
  const { sort, filter, text } = wanted;
  const asksText = FILTERS.get(filter)?.asksText;
  const isWhole = view.samples.length === samples.length;
  const keepOrder = () => {
    void reorder(
      pack,
      view.samples.map(({ id }) => id),
    ).then(() => arrange({ ...wanted, sort: null }));
  };
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1 max-sm:*:flex-auto">
      <SelectControl
        aria-label="Filter rows"
        className={SMALL}
        value={filter}
        options={[...FILTERS].map(([id, { label }]) => [id, label])}
        onChange={({ target }) => arrange({ ...wanted, filter: target.value })}
      />
      {asksText && (
        <input
          type="search"
          className={`field w-44 ${SMALL}`}
          aria-label="Text to find"
          placeholder="Text…"
          value={text}
          onChange={({ target }) => arrange({ ...wanted, text: target.value })}
        />
      )}
      <span className="flex items-center gap-1">
        <SelectControl
          aria-label="Sort rows"
          className={SMALL}
          value={sort?.by ?? ''}
          onChange={({ target }) =>
            arrange({
              ...wanted,
              sort: target.value ? { by: target.value as SortId, descending: false } : null,
            })
          }
        >
          <option value="">Order of the pack</option>
          {SORTS.map(([id, label]) => (
            <option key={id} value={id}>
              By {label.toLowerCase()}
            </option>
          ))}
        </SelectControl>
        {sort && (
          <IconButton
            label={sort.descending ? 'Sorted downwards' : 'Sorted upwards'}
            onClick={() => arrange({ ...wanted, sort: { ...sort, descending: !sort.descending } })}
          >
            {sort.descending ? <ArrowDown size={18} /> : <ArrowUp size={18} />}
          </IconButton>
        )}
      </span>
      {sort && isWhole && (
        <Button icon={<ListOrdered size={16} />} onClick={keepOrder}>
          Keep This Order
        </Button>
      )}
      <Suggestions grid={grid} />
      <Button
        icon={<WandSparkles size={16} />}
        disabled={view.samples.length === 0}
        onClick={() => setChanging(true)}
      >
        Change Many…
      </Button>
      <span role="status" className="ml-auto text-sm text-muted">
        {shownOf(view.samples.length, samples.length)}
        {!isWhole && ' shown'}
      </span>
      {isChanging && <BulkDialog grid={grid} pack={pack} onClose={() => setChanging(false)} />}
    </div>
  );
}
