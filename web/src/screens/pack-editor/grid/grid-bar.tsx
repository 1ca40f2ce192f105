import { List, Redo2, Undo2 } from 'lucide-react';
import { Chip } from '../../../ui/badge.js';
import { Button, IconButton } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { type Saving, SaveButton } from '../saving.js';
import type { ColumnId } from './columns.js';
import { type Drafts, fillTo, setTexts, textAt, withTheirs } from './drafts.js';
import { type Cell, cellsOf, edgesOf, lastOf } from './selection.js';
import { heardIn } from './suggested.js';
import type { Grid } from './use-grid.js';

/** Returns the new text of a selected cell, or null to leave the cell unchanged. */
type Step = (place: { columnId: ColumnId; row: number; text: string }) => string | null;

/**
 * Tools for the selection: halve or double the tempo, set the detected tempo, key or kind, or fill down to the last
 * row.
 */
function Tools({ grid }: { grid: Grid }) {
  const { view, selection } = grid;
  const cells = cellsOf(selection);
  const has = (id: string) => cells.some(({ column }) => view.columns[column]?.id === id);
  const run = (step: Step) => {
    const next = (now: Drafts) =>
      setTexts(
        now,
        view,
        cells.flatMap((cell: Cell) => {
          const [sample, column] = [view.samples[cell.row], view.columns[cell.column]];
          if (!sample || !column) return [];
          const text = step({
            columnId: column.id,
            row: cell.row,
            text: textAt(sample, now[sample.id], column),
          });
          return text === null ? [] : [{ cell, text }];
        }),
      );
    grid.change(next);
    grid.say('The selected cells were changed.');
  };
  const scaled =
    (factor: number): Step =>
    ({ columnId, text }) =>
      columnId === 'bpm' && Number(text) > 0 ? String(Math.round(Number(text) * factor)) : null;
  const heard: Step = ({ columnId, row }) => {
    const sample = view.samples[row];
    return (sample && heardIn(sample, { id: columnId })?.text) ?? null;
  };
  const last = view.samples.length - 1;
  const fillToEnd = () => {
    grid.change((now) => fillTo(now, view, lastOf(selection), last));
    grid.say('Filled down to the last row.');
  };
  return (
    <span className="ml-1.5 flex flex-wrap gap-1.5" role="group" aria-label="Selected cells">
      {has('bpm') && (
        <>
          <Chip aria-label="½× the tempo" onClick={() => run(scaled(0.5))}>
            ½×
          </Chip>
          <Chip aria-label="2× the tempo" onClick={() => run(scaled(2))}>
            2×
          </Chip>
        </>
      )}
      {(has('bpm') || has('key') || has('kind')) && <Chip onClick={() => run(heard)}>As detected</Chip>}
      <Chip disabled={edgesOf(lastOf(selection)).bottom >= last} onClick={fillToEnd}>
        Fill to the end
      </Chip>
    </span>
  );
}

export function GridBar(props: {
  grid: Grid;
  saving: Saving;
  onShow: (cell: Cell) => void;
  onClose: () => void;
}) {
  const { grid, saving, onShow, onClose } = props;
  const { tally } = grid;
  const [wrong] = tally.invalid;
  const [conflict] = tally.conflicts;
  return (
    <div className="sticky top-(--header) z-4 flex flex-wrap items-center gap-2 bg-page py-2">
      <Button tone="quiet" icon={<List size={17} />} onClick={onClose}>
        List
      </Button>
      <IconButton label="Undo" disabled={!grid.canUndo} onClick={grid.undo}>
        <Undo2 size={18} />
      </IconButton>
      <IconButton label="Redo" disabled={!grid.canRedo} onClick={grid.redo}>
        <Redo2 size={18} />
      </IconButton>
      <Tools grid={grid} />
      <p className="flex flex-auto flex-wrap justify-end gap-x-3 gap-y-0.5 text-sm text-muted">
        {tally.cells === 0 ? 'Everything is saved.' : `${countOf(tally.cells, 'cell')} not saved yet.`}{' '}
        {wrong && (
          <button type="button" className="underlined text-danger" onClick={() => onShow(wrong)}>
            {countOf(tally.invalid.length, 'cell')} to correct
          </button>
        )}
        {conflict && (
          <button type="button" className="underlined text-warn" onClick={() => onShow(conflict)}>
            {countOf(tally.conflicts.length, 'cell')} changed elsewhere
          </button>
        )}
      </p>
      {conflict && (
        <Button onClick={() => grid.change((drafts) => withTheirs(drafts, grid.samples))}>Use theirs</Button>
      )}
      <SaveButton {...saving} />
    </div>
  );
}
