import { useMutation } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { saveAs } from '../../downloads/deliver.js';
import { IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { copyText } from '../../ui/hooks/use-copy.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';

/** A cell for spreadsheets: a text, a count, or an amount in micro-dollars. */
export type CellValue = string | number | { microUsd: number };

export interface Sheet {
  columns: readonly string[];
  rows: readonly (readonly CellValue[])[];
  /** The part of the list that the rows are, such as "matching “piano”"; empty or absent for the whole list. */
  part?: string;
}

/**
 * Describes the part of a list that a file contains.
 * @param isWhole false if the list has more rows than a file may have
 */
export function partOf(found: number, all: number, words: string, isWhole: boolean): string {
  const first = isWhole ? '' : `first ${all.toLocaleString('en')}`;
  return [first, words && found < all ? `matching “${words}”` : ''].filter(Boolean).join(', ');
}

/** Micro-dollars as "-1234.567890": exact, without floating point, and with an ASCII minus. */
export function decimalOf(microUsd: number): string {
  const digits = String(Math.abs(microUsd)).padStart(7, '0');
  return `${microUsd < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** The text of a cell. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function textOf(value: CellValue): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return decimalOf(value.microUsd);
  return /^\s*[=+\-@＝＋－＠\t\r\n]/.test(value) ? `'${value}` : value;
}

export function tsvOf({ columns, rows }: Sheet): string {
  const line = (cells: readonly CellValue[]) =>
    cells.map((cell) => textOf(cell).replaceAll(/[\t\r\n]+/g, ' ')).join('\t');
  return [columns, ...rows].map(line).join('\n');
}

/** CSV by RFC 4180, with a header. */
export function csvOf({ columns, rows }: Sheet): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns, ...rows]
    .map((cells) => `${cells.map((cell) => quoted(textOf(cell))).join(',')}\r\n`)
    .join('');
}

/** Compares for sorting: amounts and counts by size, texts alphabetically. */
export function compareCells(a: CellValue, b: CellValue): number {
  const [one, other] = [a, b].map((cell) => (typeof cell === 'object' ? cell.microUsd : cell));
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one).localeCompare(String(other), 'en', { numeric: true });
}

/** The file name states the part of the list: "events-first-20000". */
const nameOf = (file: string, { part = '' }: Sheet): string =>
  [file, part]
    .join(' ')
    .replaceAll(',', '')
    .match(/[\p{L}\p{N}.-]+/gu)
    ?.join('-') ?? file;

export function SheetButtons(props: { title: string; file: string; sheet: () => Sheet | Promise<Sheet> }) {
  const { title, file, sheet } = props;
  const said = ({ rows, part }: Sheet) =>
    `${countOf(rows.length, 'row')} of ${title}${part ? `, ${part}` : ''}`;
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (_: 'copy' | 'save') => sheet(),
    onSuccess: (made, how) => {
      if (how === 'copy')
        return copyText(tsvOf(made)).then(
          () => toast({ title: 'Copied', description: said(made) }),
          () => toast({ title: 'Error', description: 'The browser did not allow copying.', tone: 'danger' }),
        );
      saveAs(`${nameOf(file, made)}.csv`, csvOf(made), 'text/csv;charset=utf-8');
      if (made.part) toast({ title: 'Saved a part of the list', description: said(made), tone: 'info' });
      return undefined;
    },
    onError: notifyOf('The rows could not be loaded'),
  });
  const isBusy = (how: 'copy' | 'save') => isPending && variables === how;
  return (
    <span className="flex gap-1">
      <IconButton label={`Copy ${title}`} busy={isBusy('copy')} onClick={() => mutate('copy')}>
        <Copy size={16} />
      </IconButton>
      <IconButton label={`Save ${title} as CSV`} busy={isBusy('save')} onClick={() => mutate('save')}>
        <Download size={16} />
      </IconButton>
    </span>
  );
}
