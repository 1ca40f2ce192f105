import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import type { Sample } from '../../../../../application/catalogue/contract.js';
import type { OwnSample } from '../../../../../application/publishing/contract.js';
import { PlayButton } from '../../../player/play-button.js';
import { formatDuration } from '../../../ui/format.js';
import type { Column } from './columns.js';
import { type RowDraft, conflictAt, errorAt, textAt } from './drafts.js';
import { originOf, saidOf, sourceOf, suggestedAt } from './suggested.js';

export const MESSAGE_ID = 'grid-message';

interface CellEditor {
  text: string;
  onText: (text: string) => void;
  onKey: (event: KeyboardEvent<HTMLInputElement>) => void;
  onLeave: () => void;
}

function EditCell({ column, editor }: { column: Column; editor: CellEditor }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const box = input.current;
    box?.focus({ preventScroll: true });
    box?.setSelectionRange(box.value.length, box.value.length);
  }, []);
  const parsed = column.parse(editor.text);
  return (
    <input
      ref={input}
      className="absolute inset-0 z-3 w-full bg-inset px-2.5 text-text outline-2 -outline-offset-2 outline-accent select-text in-data-numeric:text-right aria-invalid:outline-danger light:bg-surface"
      aria-label={column.label}
      aria-invalid={parsed.ok ? undefined : true}
      aria-describedby={MESSAGE_ID}
      list={column.options ? `grid-${column.id}` : undefined}
      inputMode={column.numeric ? 'numeric' : undefined}
      autoComplete="off"
      value={editor.text}
      onChange={(event) => editor.onText(event.target.value)}
      onKeyDown={editor.onKey}
      onBlur={editor.onLeave}
    />
  );
}

function RowHead(props: { sample: OwnSample; sound: Sample; index: number; number: number }) {
  const { sample, sound, index, number } = props;
  return (
    <div
      role="rowheader"
      aria-colindex={1}
      className="grid cursor-default grid-cols-[34px_30px_1fr] items-center text-faint in-data-narrow:grid-cols-[32px_1fr] border-b border-line"
      data-rowhead={index}
    >
      <span className="display pl-1.5 text-lg">{number}</span>
      <PlayButton
        sound={sound}
        size={14}
        className="play-button size-7 [@media(hover:none)]:size-11"
        tabIndex={-1}
      />
      <span className="narrow pr-2.5 text-right text-sm max-lg:hidden in-data-narrow:hidden">
        {formatDuration(sample.durationMs)}
      </span>
    </div>
  );
}

/** The row of a sample in the grid. Renders again only when its own props change. */
export const GridRow = memo(function GridRow(props: {
  sample: OwnSample;
  sound: Sample;
  /** The index of the row in the filtered and sorted grid, counted from 0. */
  index: number;
  /** The number of the sample in its pack, counted from 1. */
  number: number;
  columns: readonly Column[];
  draft: RowDraft | undefined;
  /** A bit mask of the selected columns. */
  selected: number;
  /** A bit mask of the columns that the fill handle would change if the pointer were released now. */
  filling: number;
  /** The index of the column with the tab stop, or −1 if the tab stop is in another row. */
  focused: number;
  /** The index of the column with the fill handle, or −1. */
  handle: number;
  refused: string | undefined;
  /** The index of the column that is edited, or −1. */
  edited: number;
  editor: CellEditor | null;
}) {
  const { sample, sound, index, number, columns, draft, refused, editor } = props;
  const { selected, filling, focused, handle, edited } = props;
  return (
    <div role="row" aria-rowindex={index + 2} className="grid-row" data-refused={refused ? '' : undefined}>
      <RowHead sample={sample} sound={sound} index={index} number={number} />
      {columns.map((column, place) => {
        const error = errorAt(draft, column);
        const isChanged = draft?.[column.id] !== undefined;
        const suggested = suggestedAt(sample, draft, column);
        const isConflict = conflictAt(sample, draft, column) !== null;
        const on = (bits: number) => (bits & (1 << place) ? '' : undefined);
        return (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={place + 2}
            aria-selected={(selected & (1 << place)) !== 0}
            aria-invalid={error === null ? undefined : true}
            aria-describedby={focused === place ? MESSAGE_ID : undefined}
            tabIndex={focused === place ? 0 : -1}
            className="grid-cell"
            title={
              error ?? (suggested ? sourceOf(suggested) : isChanged ? undefined : originOf(sample, column))
            }
            data-cell={`${index}:${place}`}
            data-selected={on(selected)}
            data-filling={on(filling)}
            data-changed={isChanged ? '' : undefined}
            data-error={error === null ? undefined : ''}
            data-conflict={isConflict ? '' : undefined}
            data-numeric={column.numeric ? '' : undefined}
          >
            {edited === place && editor ? (
              <EditCell column={column} editor={editor} />
            ) : (
              <span className="grid-text truncate" data-suggested={suggested ? '' : undefined}>
                {suggested && <span className="sr-only">{saidOf(suggested)}</span>}
                {suggested?.text ?? textAt(sample, draft, column)}
              </span>
            )}
            {handle === place && edited === -1 && (
              <span
                className="absolute -right-1.25 -bottom-1.25 z-2 size-2.75 cursor-crosshair touch-none border-2 border-surface bg-accent [@media(hover:none)]:hidden"
                data-handle
                aria-hidden="true"
              />
            )}
          </div>
        );
      })}
    </div>
  );
});
