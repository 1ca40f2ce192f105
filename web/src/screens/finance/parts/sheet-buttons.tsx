import { Copy, Download } from 'lucide-react';
import { copyText } from '../../../ui/copy.js';
import { IconButton } from '../../../ui/button.js';
import { countOf } from '../../../ui/format.js';
import { toast } from '../../../ui/overlays/toast.js';
import { saveAs } from '../../../downloads/save-as.js';
import { type Sheet, csvOf, tsvOf } from './sheet.js';

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Copies what a table shows as it pastes into a spreadsheet, or saves it as CSV. */
export function SheetButtons({ title, file, sheet }: { title: string; file: string; sheet: () => Sheet }) {
  const copy = () => {
    const now = sheet();
    copyText(tsvOf(now)).then(
      () => toast({ title: 'Copied', description: `${countOf(now.rows.length, 'row')} of ${title}` }),
      () => toast({ title: 'Error', description: 'The browser did not allow copying.', tone: 'danger' }),
    );
  };
  return (
    <span className="flex gap-1">
      <IconButton label={`Copy ${title}`} onClick={copy}>
        <Copy {...icon} />
      </IconButton>
      <IconButton
        label={`Save ${title} as CSV`}
        onClick={() => saveAs(`${file}.csv`, csvOf(sheet()), 'text/csv;charset=utf-8')}
      >
        <Download {...icon} />
      </IconButton>
    </span>
  );
}
