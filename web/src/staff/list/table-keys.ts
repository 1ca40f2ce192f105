import type { KeyboardEvent } from 'react';

const CONTROLS = 'a[href], button:not(:disabled)';

/**
 * Moves between table rows with the keyboard. Arrow keys move from a control to the one at its place in the next row;
 * Home and End move to the first and last row. Attach it to the body of a table.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (!['ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key) || event.altKey || event.metaKey) return;
  const here = (event.target as HTMLElement).closest<HTMLElement>(CONTROLS);
  const row = here?.closest('tr');
  if (!here || !row) return;
  const rows = [...event.currentTarget.querySelectorAll('tr')].filter((each) => each.querySelector(CONTROLS));
  const at = rows.indexOf(row);
  const targets: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: rows.length - 1,
  };
  const next = rows[targets[event.key] ?? -1];
  if (!next) return;
  const place = [...row.querySelectorAll(CONTROLS)].indexOf(here);
  const controls = next.querySelectorAll<HTMLElement>(CONTROLS);
  event.preventDefault();
  event.stopPropagation();
  (controls[place] ?? controls[controls.length - 1])?.focus();
}
