import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { fillTo } from './drafts.js';
import {
  type Cell,
  at,
  columnsIn,
  edgesOf,
  extendTo,
  headOf,
  lastOf,
  only,
  toggle,
  wholeColumn,
  wholeRow,
} from './selection.js';
import type { Grid } from './use-grid.js';

const nearest = (target: EventTarget | null, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

function cellOf(target: EventTarget | null): Cell | null {
  const [row, column] = nearest(target, '[data-cell]')?.dataset.cell?.split(':').map(Number) ?? [];
  return row === undefined || column === undefined ? null : at(row, column);
}

/**
 * Selects and fills cells with the pointer. A drag selects, Shift extends, Ctrl or ⌘ adds a rectangle or removes a
 * single selected cell, and a drag of the handle fills downwards. A tap selects a cell; another tap edits it.
 */
export function useGridPointer(grid: Grid) {
  const { selection, size, view } = grid;
  const drawing = useRef<'cells' | 'fill' | null>(null);
  const [fillRow, showFillRow] = useState<number | null>(null);
  // A ref, because the pointer may be released before React renders the last move.
  const fillTarget = useRef<number | null>(null);
  const setFillRow = (row: number | null) => {
    fillTarget.current = row;
    showFillRow(row);
  };
  const end = () => {
    drawing.current = null;
    setFillRow(null);
  };
  const down = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || nearest(event.target, 'input, button')) return;
    end();
    if (nearest(event.target, '[data-handle]')) {
      event.preventDefault();
      drawing.current = 'fill';
      return setFillRow(edgesOf(lastOf(selection)).bottom);
    }
    const more = event.ctrlKey || event.metaKey;
    const rowHead = nearest(event.target, '[data-rowhead]')?.dataset.rowhead;
    const columnHead = nearest(event.target, '[data-columnhead]')?.dataset.columnhead;
    if (rowHead !== undefined) {
      const range = wholeRow(Number(rowHead), size);
      if (event.shiftKey)
        grid.select((now) => [{ anchor: at(lastOf(now).anchor.row, size.columns - 1), head: range.head }]);
      else grid.select((now) => (more ? [...now, range] : [range]));
    } else if (columnHead !== undefined) grid.select([wholeColumn(Number(columnHead), size)]);
    else {
      const cell = cellOf(event.target);
      if (!cell) return;
      const head = headOf(selection);
      const again = head.row === cell.row && head.column === cell.column;
      if (event.pointerType === 'touch') {
        // A moving finger scrolls, so a touch selects one cell and starts no drag. A second touch edits the cell.
        if (again) grid.begin(cell);
        return grid.select(only(cell));
      }
      drawing.current = 'cells';
      if (event.shiftKey) {
        event.preventDefault();
        grid.select(extendTo(selection, cell));
      } else grid.select((now) => (more ? toggle(now, cell) : only(cell)));
    }
  };
  const over = (event: PointerEvent<HTMLElement>) => {
    if (!drawing.current || event.buttons !== 1) return;
    const cell = cellOf(event.target);
    if (!cell) return;
    if (drawing.current === 'fill') setFillRow(Math.max(cell.row, edgesOf(lastOf(selection)).bottom));
    else grid.select((now) => extendTo(now, cell));
  };
  const up = () => {
    const last = fillTarget.current;
    if (drawing.current === 'fill' && last !== null) {
      const range = lastOf(selection);
      const { top, bottom, left, right } = edgesOf(range);
      if (last > bottom) {
        grid.change((drafts) => fillTo(drafts, view, range, last));
        grid.select([{ anchor: at(top, left), head: at(last, right) }]);
        grid.say(`Filled down to row ${last + 1}.`);
      }
    }
    end();
  };
  // Listens to the window, because the pointer may be released outside the grid.
  useEffect(() => {
    const letGo = () => drawing.current && up();
    const takenAway = () => drawing.current && end();
    window.addEventListener('pointerup', letGo);
    window.addEventListener('pointercancel', takenAway);
    return () => {
      window.removeEventListener('pointerup', letGo);
      window.removeEventListener('pointercancel', takenAway);
    };
  });
  const edges = edgesOf(lastOf(selection));
  /** A bit mask of the columns of a row that the fill handle would fill if the pointer were released now. */
  const fillingIn = (row: number): number =>
    fillRow !== null && row > edges.bottom && row <= fillRow ? columnsIn([lastOf(selection)], edges.top) : 0;
  return { down, over, fillingIn };
}
