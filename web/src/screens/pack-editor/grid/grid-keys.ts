import type { KeyboardEvent } from 'react';
import { isComposing } from '../../../ui/forms/list-keys.js';
import { fillDown, setTexts } from './drafts.js';
import {
  type Cell,
  at,
  cellsOf,
  clamp,
  everything,
  extendTo,
  headOf,
  only,
  wholeColumn,
  wholeRow,
} from './selection.js';
import type { Grid } from './use-grid.js';

const PAGE_ROWS = 10;

/**
 * The cell to which an arrow key, Page Up, Page Down, Home or End moves the focus; undefined for other keys. The cell
 * may lie outside the grid.
 */
function target(event: KeyboardEvent, from: Cell, { rows, columns }: Grid['size']): Cell | undefined {
  const far = event.ctrlKey || event.metaKey;
  const { row, column } = from;
  const targets: Partial<Record<string, Cell>> = {
    ArrowUp: at(far ? 0 : row - 1, column),
    ArrowDown: at(far ? rows - 1 : row + 1, column),
    ArrowLeft: at(row, far ? 0 : column - 1),
    ArrowRight: at(row, far ? columns - 1 : column + 1),
    PageUp: at(row - PAGE_ROWS, column),
    PageDown: at(row + PAGE_ROWS, column),
    Home: at(far ? 0 : row, 0),
    End: at(far ? rows - 1 : row, columns - 1),
  };
  return targets[event.key];
}

/** The next or previous cell in reading order; undefined after the last and before the first cell. */
export function neighbour({ row, column }: Cell, step: 1 | -1, { rows, columns }: Grid['size']) {
  const place = row * columns + column + step;
  return place >= 0 && place < rows * columns ? at(Math.floor(place / columns), place % columns) : undefined;
}

interface KeyActions {
  audition: (row: number) => void;
  save: () => void;
  /** Whether the next press of Tab leaves the grid. A press of Escape sets this. */
  leavingRef: { current: boolean };
}

/** Handles keys in the grid while no cell is edited. @returns whether the key was handled */
export function pressInGrid(event: KeyboardEvent, grid: Grid, { audition, save, leavingRef }: KeyActions) {
  const { selection, size, view } = grid;
  const head = headOf(selection);
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === 'Tab') {
    const next = leavingRef.current ? undefined : neighbour(head, event.shiftKey ? -1 : 1, size);
    leavingRef.current = false;
    if (next) grid.select(only(next));
    return next !== undefined;
  }
  if (key === 'Escape') {
    leavingRef.current = true;
    grid.say('Tab leaves the grid now.');
    return true;
  }
  leavingRef.current = false;
  const to = target(event, head, size);
  if (to) {
    const next = clamp(to, size);
    grid.select(event.shiftKey ? extendTo(selection, next) : only(next));
    return true;
  }
  if (control && (key === 'y' || (key === 'z' && event.shiftKey))) grid.redo();
  else if (control && key === 'z') grid.undo();
  else if (control && key === 'a') grid.select(everything(size));
  else if (control && key === 'Enter') grid.accept(0, cellsOf(selection));
  else if (control && key === 's') {
    if (!event.repeat) save();
  } else if (control && key === 'd') {
    grid.change((drafts) => fillDown(drafts, view, selection));
    grid.say(`${cellsOf(selection).length} cells filled down.`);
  } else if (key === ' ' && event.shiftKey) grid.select([wholeRow(head.row, size)]);
  else if (key === ' ' && control) grid.select([wholeColumn(head.column, size)]);
  else if (control || event.altKey) return false;
  else if (key === ' ') {
    // A key that is held down plays the sound once.
    if (!event.repeat) audition(head.row);
  } else if (key === 'Enter' || key === 'F2') grid.begin(head);
  else if (key === 'Delete' || key === 'Backspace')
    grid.change((drafts) =>
      setTexts(
        drafts,
        view,
        cellsOf(selection).map((cell) => ({ cell, text: '' })),
      ),
    );
  else if (event.key.length === 1) grid.begin(head, event.key);
  else return false;
  return true;
}

/** Handles keys while a cell is edited. @returns whether the key was handled */
export function pressWhileTyping(event: KeyboardEvent, grid: Grid): boolean {
  const { editing, view, selection, size } = grid;
  if (!editing || isComposing(event)) return false;
  const { cell, text } = editing;
  const step = event.shiftKey ? -1 : 1;
  if (event.key === 'Escape') grid.setEditing(null);
  else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    const writes = cellsOf(selection).map((each) => ({ cell: each, text }));
    grid.setEditing(null);
    grid.change((drafts) => setTexts(drafts, view, writes));
    grid.say(`${writes.length} cells filled.`);
  } else if (event.key === 'Enter' || event.key === 'Tab') {
    grid.commit();
    const next =
      event.key === 'Enter' ? clamp(at(cell.row + step, cell.column), size) : neighbour(cell, step, size);
    grid.select(only(next ?? cell));
  } else return false;
  return true;
}
