import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { OwnPack } from '../../../../../application/publishing/contract.js';
import { AS_THE_PACK, arranged, arrangementOf, EVERYTHING, type Wanted } from './arrange.js';
import { countOf } from '../../../ui/format.js';
import type { Column } from './columns.js';
import { type Drafts, type View, pruned, setText, setTexts, tallyOf, textAt } from './drafts.js';
import { suggestionsIn } from './suggested.js';
import { keepDrafts, readDrafts } from './kept-drafts.js';
import { type Cell, type Selection, type Size, at, clampAll, headOf, only } from './selection.js';

const UNDO_LIMIT = 200;

interface Edits {
  drafts: Drafts;
  past: readonly Drafts[];
  future: readonly Drafts[];
}

type EditAction =
  | { type: 'change'; change: (drafts: Drafts) => Drafts }
  | { type: 'undo' | 'redo' }
  /** Removes unsaved cells that equal the server's new values. Clears undo and redo if it removed any. */
  | { type: 'settle'; change: (drafts: Drafts) => Drafts };

function edit(state: Edits, action: EditAction): Edits {
  const { drafts, past, future } = state;
  switch (action.type) {
    case 'change': {
      const next = action.change(drafts);
      return next === drafts
        ? state
        : { drafts: next, past: [...past, drafts].slice(-UNDO_LIMIT), future: [] };
    }
    case 'undo': {
      const before = past.at(-1);
      return before ? { drafts: before, past: past.slice(0, -1), future: [drafts, ...future] } : state;
    }
    case 'redo': {
      const [next, ...rest] = future;
      return next ? { drafts: next, past: [...past, drafts], future: rest } : state;
    }
    case 'settle': {
      const next = action.change(drafts);
      return next === drafts ? state : { drafts: next, past: [], future: [] };
    }
  }
}

interface Editing {
  cell: Cell;
  text: string;
}

export type Grid = ReturnType<typeof useGrid>;

/** The state of a pack's grid: unsaved cells, selection and editing, with undo. The unsaved cells survive a reload. */
export function useGrid(pack: OwnPack, columns: readonly Column[]) {
  const { samples } = pack;
  const [edits, dispatch] = useReducer(edit, pack.id, (id): Edits => {
    return { drafts: pruned(readDrafts(id), samples), past: [], future: [] };
  });
  const { drafts } = edits;
  const [calls, setCalls] = useState(0);
  const [drawn, setSelection] = useState<Selection>(only(at(0, 0)));
  const [editing, putEditing] = useState<Editing | null>(null);
  // A ref, so that a text is applied only once: a cell that is removed also reports that it lost the focus.
  const typed = useRef<Editing | null>(null);
  const setEditing = (next: Editing | null) => {
    typed.current = next;
    putEditing(next);
  };
  /** Why the server did not save a row, by sample id. */
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const [said, setSaid] = useState('');
  const [wanted, setWanted] = useState<Wanted>(EVERYTHING);
  const [arrangement, setArrangement] = useState(AS_THE_PACK);
  const shown = useMemo(() => arranged(samples, arrangement), [samples, arrangement]);
  const size: Size = { rows: shown.length, columns: columns.length };
  const view: View = { samples: shown, columns };
  const selection = clampAll(drawn, size);
  useEffect(() => keepDrafts(pack.id, drafts), [pack.id, drafts]);
  useEffect(() => dispatch({ type: 'settle', change: (now) => pruned(now, samples) }), [samples]);
  const change = (step: (drafts: Drafts) => Drafts) => dispatch({ type: 'change', change: step });
  // Screen readers ignore an unchanged text, so a repeated message gets a trailing space.
  const say = (text: string) => setSaid((now) => (now === text ? `${text}\u00a0` : text));
  /** Moves the focus into the grid, to the selected cell. */
  const call = () => setCalls((count) => count + 1);
  const tally = useMemo(() => tallyOf(drafts, samples), [drafts, samples]);

  /** Opens a cell for editing. @param text the initial text; the cell's current text by default */
  const begin = (cell: Cell, text?: string) => {
    const [sample, column] = [shown[cell.row], columns[cell.column]];
    if (sample && column) setEditing({ cell, text: text ?? textAt(sample, drafts[sample.id], column) });
  };
  const commit = () => {
    if (!typed.current) return;
    const { cell, text } = typed.current;
    const [sample, column] = [shown[cell.row], columns[cell.column]];
    setEditing(null);
    if (sample && column) change((now) => setText(now, sample, column, text));
  };
  /** Filters and sorts the rows once. Later edits of cells do not move or hide rows. */
  const arrange = (next: Wanted) => {
    commit();
    setWanted(next);
    setArrangement(arrangementOf(samples, drafts, next));
    setSelection(only(at(0, headOf(drawn).column)));
  };
  /**
   * Fills the empty cells that `suggestionsIn` selects with their suggestions. One undo reverts them all.
   * @param cells the cells to fill; all that the filter shows by default
   */
  const accept = (atLeast: number, cells?: readonly Cell[]) => {
    const found = suggestionsIn(view, drafts, atLeast, cells);
    change((now) => setTexts(now, view, found));
    say(`${countOf(found.length, 'suggestion')} accepted.`);
  };
  return {
    view,
    samples,
    wanted,
    arrange,
    accept,
    drafts,
    selection,
    editing,
    refused,
    said,
    size,
    tally,
    canUndo: edits.past.length > 0,
    canRedo: edits.future.length > 0,
    call,
    calls,
    change,
    select: setSelection,
    begin,
    commit,
    setEditing,
    setRefused,
    say,
    undo: () => dispatch({ type: 'undo' }),
    redo: () => dispatch({ type: 'redo' }),
  };
}
