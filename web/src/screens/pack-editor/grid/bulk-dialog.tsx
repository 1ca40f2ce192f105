import { useMemo, useState } from 'react';
import type { OwnPack } from '../../../../../application/publishing/contract.js';
import { Checkbox, Input, Select } from '../../../ui/forms/field.js';
import { FormFrame } from '../../../ui/forms/form-dialog.js';
import { countOf } from '../../../ui/format.js';
import { folderFinder } from '../upload/folders.js';
import { type Bulk, PLACEHOLDERS, type Planned, planned } from './bulk.js';
import { COLUMNS, type ColumnId } from './columns.js';
import { setText } from './drafts.js';
import { edgesOf } from './selection.js';
import type { Grid } from './use-grid.js';

const KINDS: readonly (readonly [Bulk['kind'], string])[] = [
  ['replace', 'Find and replace'],
  ['pattern', 'Fill by a pattern'],
  ['set', 'Set one value'],
  ['add', 'Add instruments'],
  ['remove', 'Remove instruments'],
];
const SHOWN = 6;

/** The selected rows if there are several, or else all rows that the filter shows. */
function rowsOf({ view, selection }: Grid) {
  const edges = selection.map(edgesOf);
  const isSelected = (row: number) => edges.some(({ top, bottom }) => row >= top && row <= bottom);
  const selected = view.samples.filter((_, row) => isSelected(row));
  return selected.length > 1
    ? { rows: selected, named: `${countOf(selected.length, 'selected row')}` }
    : { rows: view.samples, named: `all ${countOf(view.samples.length, 'row')} on screen` };
}

function Preview({ found, rows, named }: { found: readonly Planned[]; rows: number; named: string }) {
  const wrong = found.filter(({ error }) => error !== null).length;
  return (
    <section aria-label="Preview" className="border-t border-line pt-3">
      <p role="status" className={wrong > 0 ? 'text-danger' : 'text-muted'}>
        {found.length === 0
          ? `Changes nothing in ${named}.`
          : `Changes ${found.length} of ${countOf(rows, 'row')}.`}
        {wrong > 0 &&
          ` ${countOf(wrong, 'new value')} could not be saved: ${found.find(({ error }) => error)?.error}.`}
      </p>
      <ul className="m-0 list-none p-0 text-sm">
        {found.slice(0, SHOWN).map(({ sample, before, after, error }) => (
          <li key={sample.id} className="mt-1 grid grid-cols-2 gap-3 wrap-anywhere">
            <del className="text-faint">{before || 'nothing'}</del>
            <ins className={`no-underline ${error ? 'text-danger' : ''}`}>{after || 'nothing'}</ins>
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p className="mt-1 text-sm text-faint">and {found.length - SHOWN} more</p>}
    </section>
  );
}

/** Changes one column in many rows, with a preview, as one step that can be undone. */
export function BulkDialog({ grid, pack, onClose }: { grid: Grid; pack: OwnPack; onClose: () => void }) {
  const [kind, setKind] = useState<Bulk['kind']>('replace');
  const [chosen, setColumn] = useState<ColumnId>('name');
  const [find, setFind] = useState('');
  const [text, setNew] = useState('');
  const [matchCase, setMatchCase] = useState(false);
  const [from, setFrom] = useState(1);
  const folderOf = useMemo(() => folderFinder(pack.id), [pack.id]);
  const isList = kind === 'add' || kind === 'remove';
  const columnId = isList ? 'instruments' : chosen;
  const bulk: Bulk = isList
    ? { kind, columnId: 'instruments', names: text }
    : kind === 'replace'
      ? { kind, columnId, find, replacement: text, matchCase }
      : kind === 'pattern'
        ? { kind, columnId, pattern: text, from }
        : { kind, columnId, text };
  const { rows, named } = rowsOf(grid);
  const isEmpty = kind === 'replace' ? find === '' : text === '' && kind !== 'set';
  const found = isEmpty ? [] : planned(bulk, rows, { drafts: grid.drafts, pack, folderOf });
  const column = COLUMNS.find(({ id }) => id === columnId);
  const apply = () => {
    if (found.length > 0 && column)
      grid.change((drafts) =>
        found.reduce((now, { sample, after }) => setText(now, sample, column, after), drafts),
      );
    grid.say(`${countOf(found.length, 'cell')} changed.`);
    onClose();
  };
  return (
    <FormFrame
      title="Change many rows"
      description={`In ${named}. Nothing is saved before you save the grid.`}
      width={560}
      confirmLabel={found.length > 0 ? `Change ${countOf(found.length, 'Cell')}` : 'Change'}
      busy={false}
      onClose={onClose}
      form={{
        onSubmit: (event) => {
          event.preventDefault();
          apply();
        },
      }}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="What"
          value={kind}
          options={KINDS}
          onChange={({ target }) => setKind(target.value as Bulk['kind'])}
        />
        <Select
          label="Column"
          value={columnId}
          disabled={isList}
          options={COLUMNS.map(({ id, label }) => [id, label])}
          onChange={({ target }) => setColumn(target.value as ColumnId)}
        />
      </div>
      {kind === 'replace' && (
        <>
          <Input
            label="Find"
            value={find}
            autoComplete="off"
            onChange={({ target }) => setFind(target.value)}
          />
          <Checkbox
            label="Match case"
            checked={matchCase}
            onChange={({ target }) => setMatchCase(target.checked)}
          />
        </>
      )}
      <Input
        label={
          kind === 'replace'
            ? 'Replace with'
            : kind === 'pattern'
              ? 'Pattern'
              : isList
                ? 'Instruments'
                : 'Value'
        }
        hint={
          kind === 'pattern'
            ? `Such as {folder} {nn}. It takes ${PLACEHOLDERS.map(([name, meaning]) => `${name} ${meaning}`).join(', ')}.`
            : kind === 'replace'
              ? undefined
              : column?.hint
        }
        value={text}
        autoComplete="off"
        list={column?.options && kind !== 'replace' && kind !== 'pattern' ? `grid-${column.id}` : undefined}
        onChange={({ target }) => setNew(target.value)}
      />
      {kind === 'pattern' && (
        <Input
          label="First number"
          type="number"
          min={0}
          max={99_999}
          value={from}
          onChange={({ target }) => setFrom(Math.max(0, Math.trunc(target.valueAsNumber) || 0))}
        />
      )}
      <Preview found={found} rows={rows.length} named={named} />
    </FormFrame>
  );
}
