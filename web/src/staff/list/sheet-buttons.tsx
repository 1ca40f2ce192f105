import { useMutation } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { copyText } from '../../ui/hooks/use-copy.js';
import { IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';
import { saveAs } from '../../downloads/deliver.js';
import { type Sheet, csvOf, tsvOf } from './sheet.js';

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
