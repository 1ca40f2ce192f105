import type { ClipboardEvent } from 'react';
import { countOf } from '../../../ui/format.js';
import { paste, textsOf } from './drafts.js';
import { at, cellsOf, edgesOf, lastOf } from './selection.js';
import { parseTsv, toTsv } from './tsv.js';
import type { Grid } from './use-grid.js';

/** Copies the last rectangle as a table, and pastes a table from its corner. */
export function gridClipboard(grid: Grid) {
  const { view, drafts, selection, editing } = grid;
  const onCopy = (event: ClipboardEvent) => {
    if (editing) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', toTsv(textsOf(drafts, view, lastOf(selection))));
    grid.say(`${countOf(cellsOf(selection).length, 'cell')} copied.`);
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
