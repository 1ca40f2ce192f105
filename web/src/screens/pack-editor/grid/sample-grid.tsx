import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { User } from '../../../../../application/accounts/contract.js';
import type { OwnPack, OwnSample } from '../../../../../application/publishing/contract.js';
import { SelectControl } from '../../../ui/forms/field.js';
import { useMedia } from '../../../ui/hooks/use-media.js';
import { playable } from '../own-sample.js';
import { type Saving, useUnsavedWork } from '../saving.js';
import { EVERYTHING } from './arrange.js';
import { ArrangeBar } from './arrange-bar.js';
import { COLUMNS } from './columns.js';
import { conflictAt, errorAt } from './drafts.js';
import { GridBar } from './grid-bar.js';
import { MESSAGE_ID } from './grid-row.js';
import { GridTable } from './grid-table.js';
import { GRID } from './kept-drafts.js';
import { saveGrid } from './save-grid.js';
import { type Cell, at, cellsOf, headOf, only } from './selection.js';
import { sourceOf, suggestedAt } from './suggested.js';
import { type Grid, useGrid } from './use-grid.js';

const HINT =
  'Type to change, Enter to edit, Ctrl+D fills down, Space plays. Escape, then Tab, leaves the grid.';
const TOUCH_HINT = 'Tap a cell to select it, and once more to change it.';

/** The number of a sample in its pack, counted from 1. Sorting or filtering the grid does not change it. */
const numberIn = ({ samples }: Grid, sample: OwnSample): number => samples.indexOf(sample) + 1;

function messageOf(grid: Grid): { text: string; tone?: string } | undefined {
  const { view, drafts, selection, editing, refused } = grid;
  const { row, column } = editing?.cell ?? headOf(selection);
  const [sample, definition] = [view.samples[row], view.columns[column]];
  if (!sample || !definition) return undefined;
  const place = `Row ${numberIn(grid, sample)}, ${definition.label}`;
  const parsed = editing && definition.parse(editing.text);
  if (parsed?.ok) return { text: `${place}: ${definition.hint}` };
  const error = parsed ? parsed.error : errorAt(drafts[sample.id], definition);
  if (error !== null) return { text: `${place}: ${error}`, tone: 'text-danger' };
  const theirs = conflictAt(sample, drafts[sample.id], definition);
  if (theirs !== null) {
    const now = theirs === '' ? 'nothing' : `“${theirs}”`;
    return {
      text: `${place}: changed elsewhere to ${now}. Yours is kept until you save.`,
      tone: 'text-warn',
    };
  }
  const reason = refused[sample.id];
  if (reason) return { text: `Row ${numberIn(grid, sample)} was not saved. ${reason}.`, tone: 'text-danger' };
  const suggested = suggestedAt(sample, drafts[sample.id], definition);
  return suggested
    ? {
        text: `${place}: ${suggested.text}. ${sourceOf(suggested)}. Ctrl+Enter accepts it.`,
      }
    : undefined;
}

/** Narrow windows show only the titles and one chosen column. */
function useColumns() {
  const isNarrow = useMedia('(width < 768px)');
  const [shownId, setShownId] = useState<string>('bpm');
  const columns = useMemo(
    () => (isNarrow ? COLUMNS.filter(({ id }) => id === 'name' || id === shownId) : COLUMNS),
    [isNarrow, shownId],
  );
  return { isNarrow, shownId, setShownId, columns };
}

function ColumnChooser({ shownId, setShownId }: ReturnType<typeof useColumns>) {
  return (
    <label className="flex items-center gap-3 pb-2 text-muted *:last:flex-1">
      <span>Column</span>
      <SelectControl value={shownId} onChange={(event) => setShownId(event.target.value)}>
        {COLUMNS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectControl>
    </label>
  );
}

/**
 * Makes the browser ask before a page with unsaved cells is closed or reloaded. A reload restores the cells, but
 * closing the tab loses them.
 */
function useLeaveQuestion(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
}

/** Shows the facts of a pack's samples as a spreadsheet: select, type, paste, fill down, undo, and save all at once. */
export default function SampleGrid(props: {
  pack: OwnPack;
  user: User;
  saving: Saving;
  onClose: () => void;
}) {
  const { pack, user, saving, onClose } = props;
  const view = useColumns();
  const grid = useGrid(pack, view.columns);
  const { selection, say, tally } = grid;
  const shown = grid.view.samples;
  const sounds = useMemo(() => shown.map((sample) => playable(sample, pack, user)), [shown, pack, user]);
  useLeaveQuestion(tally.cells > 0);
  const cellCount = cellsOf(selection).length;
  const sayCount = useEffectEvent(() => cellCount > 1 && say(`${cellCount} cells selected.`));
  useEffect(() => void sayCount(), [cellCount]);
  useUnsavedWork(tally.cells > 0, { what: GRID, save: () => saveGrid(pack, grid) });
  /**
   * @param cell the cell to show; its row is the index of the sample in the pack, not in the filtered and sorted grid
   */
  const show = ({ row, column }: Cell) => {
    const place = shown.findIndex((sample) => sample === grid.samples[row]);
    if (place === -1) grid.arrange(EVERYTHING);
    const id = COLUMNS[column]?.id ?? 'name';
    if (view.isNarrow && id !== 'name') view.setShownId(id);
    grid.call();
    grid.select(only(at(place === -1 ? row : place, view.isNarrow ? Number(id !== 'name') : column)));
  };
  const hint = useMedia('(hover: none)') ? TOUCH_HINT : HINT;
  const message = messageOf(grid);
  return (
    <section
      aria-label="Samples as a grid"
      className="sample-grid mt-2"
      data-narrow={view.isNarrow ? '' : undefined}
    >
      {view.isNarrow ? (
        <details className="pt-1">
          <summary className="underlined inline-block min-h-11 py-2.5">Filter, sort and change many</summary>
          <ArrangeBar grid={grid} pack={pack} />
        </details>
      ) : (
        <ArrangeBar grid={grid} pack={pack} />
      )}
      <GridBar grid={grid} saving={saving} onShow={show} onClose={onClose} />
      {view.isNarrow && <ColumnChooser {...view} />}
      <GridTable grid={grid} sounds={sounds} onSave={saving.save} />
      {COLUMNS.map(
        ({ id, options }) =>
          options && (
            <datalist key={id} id={`grid-${id}`}>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </datalist>
          ),
      )}
      <p
        id={MESSAGE_ID}
        className={`py-2.5 text-sm data-urgent:sticky data-urgent:bottom-(--dock) data-urgent:z-4 data-urgent:bg-page ${message?.tone ?? 'text-muted'}`}
        data-urgent={message ? '' : undefined}
      >
        {message?.text ?? hint}
      </p>
      <p role="status" className="sr-only">
        {grid.said}
      </p>
    </section>
  );
}
