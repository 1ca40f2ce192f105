import { clsx } from 'clsx';
import { Check, Download } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import type { DownloadPlace } from '../session/after-sign-in.js';
import { Sticker } from '../ui/badge.js';
import { IconButton } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { useOwned } from './owned.js';
import { useDownload } from './use-download.js';

/** The price of a sample in a row, and the button that downloads it. */
export function DownloadCell(props: {
  sample: Sample;
  place: DownloadPlace;
  priceClass: string;
  buttonClass?: string;
  tabIndex?: number;
}) {
  const { sample, place, priceClass, buttonClass, tabIndex } = props;
  const owned = useOwned(sample);
  const { download } = useDownload();
  const cost = countOf(sample.creditCost, 'credit');
  return (
    <>
      <span className={priceClass} data-owned={owned ? '' : undefined}>
        <Sticker tone={owned ? 'owned' : 'rest'} label={owned ? 'Owned' : cost}>
          {owned ? 0 : sample.creditCost}
        </Sticker>
      </span>
      <IconButton
        label={owned ? 'Already downloaded - click to download again' : `Download for ${cost}`}
        about={sample.title}
        className={clsx(buttonClass, owned && 'text-ok!')}
        data-action="download"
        tabIndex={tabIndex}
        onClick={() => download(sample, place)}
      >
        {owned ? <Check size={18} /> : <Download size={18} />}
      </IconButton>
    </>
  );
}
