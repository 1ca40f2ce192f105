import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { Sample } from '../../../../../application/catalogue/contract.js';
import { player } from '../../../player/player.js';
import { VirtualRows } from '../../../ui/virtual-rows.js';
import type { Column } from './columns.js';
import { pressInGrid, pressWhileTyping } from './grid-keys.js';
import { GridRow } from './grid-row.js';
import { columnsIn, edgesOf, headOf, lastOf, at, cellsOf } from './selection.js';
import type { Grid } from './use-grid.js';
import { useGridPointer } from './use-grid-pointer.js';
import { countOf } from '../../../ui/format.js';
import { paste, textsOf } from './drafts.js';
import { parseTsv, toTsv } from './tsv.js';

/**
 * Copies the last selected rectangle as a table. Pastes a table with its first cell at the top left of this rectangle.
 * Pastes a single value into every selected cell.
 */
function gridClipboard(grid: Grid) {
  const { view, drafts, selection, editing } = grid;
  const onCopy = (event: ClipboardEvent) => {
    if (editing) return;
    event.preventDefault();
    const copied = lastOf(selection);
    event.clipboardData.setData('text/plain', toTsv(textsOf(drafts, view, copied)));
    grid.say(`${countOf(cellsOf([copied]).length, 'cell')} copied.`);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (editing) return;
    event.preventDefault();
    const table = parseTsv(event.clipboardData.getData('text/plain'));
    const { top, left } = edgesOf(lastOf(selection));
    const target = { cells: cellsOf(selection), corner: at(top, left) };
    const missing = paste(drafts, view, table, target).left;
    grid.change((now) => paste(now, view, table, target).drafts);
    const rest = missing > 0 ? ` ${countOf(missing, 'row')} did not fit.` : '';
    grid.say(`${countOf(table.length, 'row')} pasted.${rest}`);
  };
  return { onCopy, onPaste };
}

/**
 * Moves the focus to the cell that the last selected rectangle now reaches, if the focus is already in the grid or
 * `call` has requested it.
 */
function useFocus(grid: Grid, box: RefObject<HTMLElement | null>) {
  const activeRef = useRef(false);
  const byKeyRef = useRef(false);
  const { row, column } = headOf(grid.selection);
  const isEditing = grid.editing !== null;
  const answeredRef = useRef(grid.calls);
  const { calls } = grid;
  useEffect(() => {
    const isCalled = calls !== answeredRef.current;
    answeredRef.current = calls;
    if (isEditing || !(activeRef.current || isCalled)) return;
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
    if (byKeyRef.current || isCalled) cell?.scrollIntoView({ block: 'nearest' });
    cell?.focus({ preventScroll: true });
  }, [row, column, isEditing, box, calls]);
  return { activeRef, byKeyRef };
}

function HeadRow({ columns }: { columns: readonly Column[] }) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="grid-row grid-head h-9 border-b-2 border-strong bg-page text-sm text-muted"
    >
      <div
        role="columnheader"
        aria-colindex={1}
        className="grid cursor-default grid-cols-[34px_30px_1fr] items-center text-faint in-data-narrow:grid-cols-[32px_1fr]"
      >
        <span className="sr-only">Sample</span>
      </div>
      {columns.map(({ id, label, numeric }, place) => (
        <div
          key={id}
          role="columnheader"
          aria-colindex={place + 2}
          data-columnhead={place}
          data-numeric={numeric ? '' : undefined}
          className="flex cursor-default items-center px-2.5 hover:text-text data-numeric:justify-end"
        >
          {label}
        </div>
      ))}
    </div>
  );
}

export function GridTable(props: { grid: Grid; sounds: readonly Sample[]; onSave: () => void }) {
  const { grid, sounds, onSave } = props;
  const { view, drafts, selection, editing } = grid;
  const { samples } = view;
  const numbers = useMemo(
    () => new Map(grid.samples.map(({ id }, index) => [id, index + 1])),
    [grid.samples],
  );
  const head = headOf(selection);
  const table = useRef<HTMLDivElement>(null);
  const { activeRef, byKeyRef } = useFocus(grid, table);
  const pointer = useGridPointer(grid);
  const leavingRef = useRef(false);
  const press = (event: KeyboardEvent) => {
    byKeyRef.current = true;
    if (editing || !(event.target instanceof HTMLElement) || !event.target.dataset.cell) return;
    const audition = (row: number) => {
      const sound = sounds[row];
      if (sound) void player.play(sound);
    };
    if (pressInGrid(event, grid, { audition, save: onSave, leavingRef })) event.preventDefault();
    // Hides the key from the player's shortcuts, because every letter starts editing in the grid.
    event.stopPropagation();
  };
  const onKey = (event: KeyboardEvent) => {
    byKeyRef.current = true;
    if (pressWhileTyping(event, grid)) event.preventDefault();
    event.stopPropagation();
  };
  const onText = (text: string) => editing && grid.setEditing({ ...editing, text });
  const editor = editing && { text: editing.text, onText, onKey, onLeave: grid.commit };
  const corner = edgesOf(lastOf(selection));
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- One of its cells takes the focus.
    <div
      ref={table}
      role="grid"
      aria-label="Samples"
      aria-multiselectable="true"
      aria-rowcount={samples.length + 1}
      aria-colcount={view.columns.length + 1}
      className="border-y border-line select-none"
      onPointerDown={(event) => {
        byKeyRef.current = false;
        pointer.down(event);
      }}
      onPointerOver={pointer.over}
      onDoubleClick={() => !editing && grid.begin(head)}
      onFocus={() => {
        activeRef.current = true;
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) activeRef.current = false;
      }}
      onKeyDown={press}
      {...gridClipboard(grid)}
    >
      <HeadRow columns={view.columns} />
      <VirtualRows count={samples.length} keep={head.row} keyOf={(index) => samples[index]?.id}>
        {(index) => {
          const [sample, sound] = [samples[index], sounds[index]];
          if (!sample || !sound) return null;
          const edited = editing?.cell.row === index ? editing.cell.column : -1;
          return (
            <GridRow
              sample={sample}
              sound={sound}
              index={index}
              number={numbers.get(sample.id) ?? index + 1}
              columns={view.columns}
              draft={drafts[sample.id]}
              selected={columnsIn(selection, index)}
              filling={pointer.fillingIn(index)}
              focused={head.row === index ? head.column : -1}
              handle={corner.bottom === index ? corner.right : -1}
              refused={grid.refused[sample.id]}
              edited={edited}
              editor={edited === -1 ? null : editor}
            />
          );
        }}
      </VirtualRows>
      {samples.length === 0 && (
        <div role="row" className="p-4 text-muted">
          <span role="gridcell">No row fits the filter.</span>
        </div>
      )}
    </div>
  );
}
