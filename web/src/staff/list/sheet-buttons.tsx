import { useMutation } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { messageOf } from '../../api/transport/http.js';
import { copyText } from '../../ui/copy.js';
import { IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { toast } from '../../ui/overlays/toast.js';
import { saveAs } from '../../downloads/save-as.js';
import { type Sheet, csvOf, tsvOf } from './sheet.js';

/** The file name states the part of the list: "events-first-20000". */
const nameOf = (file: string, { part = '' }: Sheet): string =>
  [file, part]
    .join(' ')
    .replaceAll(',', '')
    .match(/[\p{L}\p{N}.-]+/gu)
    ?.join('-') ?? file;

/** Copies a table for a spreadsheet, or saves it as CSV. */
export function SheetButtons(props: { title: string; file: string; sheet: () => Sheet | Promise<Sheet> }) {
  const { title, file, sheet } = props;
  const said = ({ rows, part }: Sheet) =>
    `${countOf(rows.length, 'row')} of ${title}${part ? `, ${part}` : ''}`;
  const onError = (error: unknown) =>
    toast({ title: 'The rows could not be loaded', description: messageOf(error), tone: 'danger' });
  const copy = useMutation({
    mutationFn: async () => sheet(),
    onSuccess: (made) =>
      copyText(tsvOf(made)).then(
        () => toast({ title: 'Copied', description: said(made) }),
        () => toast({ title: 'Error', description: 'The browser did not allow copying.', tone: 'danger' }),
      ),
    onError,
  });
  const save = useMutation({
    mutationFn: async () => sheet(),
    onSuccess: (made) => {
      saveAs(`${nameOf(file, made)}.csv`, csvOf(made), 'text/csv;charset=utf-8');
      if (made.part) toast({ title: 'Saved a part of the list', description: said(made), tone: 'info' });
    },
    onError,
  });
  return (
    <span className="flex gap-1">
      <IconButton label={`Copy ${title}`} busy={copy.isPending} onClick={() => copy.mutate()}>
        <Copy size={16} />
      </IconButton>
      <IconButton label={`Save ${title} as CSV`} busy={save.isPending} onClick={() => save.mutate()}>
        <Download size={16} />
      </IconButton>
    </span>
  );
}
