/** The row and the column of a cell, both counted from 0. */
export interface Cell {
  row: number;
  column: number;
}

/** A rectangle from the cell where the selection began to the cell that it now reaches. */
export interface Range {
  anchor: Cell;
  head: Cell;
}

/** The selection is never empty. The last rectangle is the active one; its head has the focus. */
export type Selection = readonly [Range, ...Range[]];

export interface Size {
  rows: number;
  columns: number;
}

export const at = (row: number, column: number): Cell => ({ row, column });
export const only = (cell: Cell): Selection => [{ anchor: cell, head: cell }];
export const lastOf = (selection: Selection): Range => selection.at(-1) as Range;
export const headOf = (selection: Selection): Cell => lastOf(selection).head;

const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** Returns the cell itself if it lies inside the grid, or else the nearest cell inside. */
export const clamp = ({ row, column }: Cell, { rows, columns }: Size): Cell =>
  at(within(row, rows), within(column, columns));

export function clampAll(selection: Selection, size: Size): Selection {
  const fits = ({ row, column }: Cell) => row < size.rows && column < size.columns;
  if (selection.every(({ anchor, head }) => fits(anchor) && fits(head))) return selection;
  return only(clamp(headOf(selection), size));
}

export const extendTo = (selection: Selection, head: Cell): Selection =>
  [...selection.slice(0, -1), { ...lastOf(selection), head }] as unknown as Selection;

const isCell = ({ anchor, head }: Range, { row, column }: Cell): boolean =>
  [anchor, head].every((end) => end.row === row && end.column === column);

/**
 * Adds a cell to the selection. If a rectangle consists of this cell alone, removes the rectangle instead, unless the
 * selection would be empty.
 */
export function toggle(selection: Selection, cell: Cell): Selection {
  const rest = selection.filter((range) => !isCell(range, cell));
  if (rest.length < selection.length && rest.length > 0) return rest as unknown as Selection;
  return [...rest, { anchor: cell, head: cell }] as unknown as Selection;
}

export const wholeRow = (row: number, { columns }: Size): Range => ({
  anchor: at(row, columns - 1),
  head: at(row, 0),
});
export const wholeColumn = (column: number, { rows }: Size): Range => ({
  anchor: at(rows - 1, column),
  head: at(0, column),
});
export const everything = ({ rows, columns }: Size): Selection => [
  { anchor: at(rows - 1, columns - 1), head: at(0, 0) },
];

/** The edges of a rectangle, inclusive. */
export function edgesOf({ anchor, head }: Range): {
  top: number;
  bottom: number;
  left: number;
  right: number;
} {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

export function covers(range: Range, { row, column }: Cell): boolean {
  const { top, bottom, left, right } = edgesOf(range);
  return row >= top && row <= bottom && column >= left && column <= right;
}

/**
 * A bit mask of the selected columns of a row. The number stays equal while the selection does not change, so that an
 * unchanged row does not render again.
 */
export function columnsIn(selection: Selection, row: number): number {
  let bits = 0;
  for (const range of selection) {
    const { top, bottom, left, right } = edgesOf(range);
    if (row < top || row > bottom) continue;
    for (let column = left; column <= right; column += 1) bits |= 1 << column;
  }
  return bits;
}

/** Every selected cell once, row by row. */
export function cellsOf(selection: Selection): Cell[] {
  const rows = selection.map(edgesOf);
  const cells: Cell[] = [];
  for (
    let row = Math.min(...rows.map(({ top }) => top));
    row <= Math.max(...rows.map(({ bottom }) => bottom));
    row += 1
  ) {
    const bits = columnsIn(selection, row);
    for (let column = 0; bits >> column > 0; column += 1)
      if (bits & (1 << column)) cells.push(at(row, column));
  }
  return cells;
}
