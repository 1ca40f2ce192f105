import { Check, Download } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { useOwned } from '../downloads/owned.js';
import { useDownload } from '../downloads/use-download.js';
import { Sticker } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { countOf } from '../ui/format.js';

/** Downloads the sound in the player. @param labelClass classes of the word beside the icon */
export function DownloadButton(props: { track: Sample; className: string; labelClass?: string }) {
  const { track, className, labelClass } = props;
  const owned = useOwned(track);
  const { download } = useDownload();
  const Icon = owned ? Check : Download;
  return (
    <Button
      tone={owned ? 'owned' : 'primary'}
      disabled={track.onSale === false && !owned}
      className={className}
      data-action="download"
      title={
        owned
          ? 'Already downloaded - click to download again'
          : track.onSale === false
            ? 'Not on sale yet'
            : `Download for ${countOf(track.creditCost, 'credit')}`
      }
      icon={<Icon size={17} />}
      onClick={() => download(track, 'list')}
    >
      <span className={labelClass}>{owned ? 'Downloaded' : 'Download'}</span>
      {!owned && (
        <Sticker tone="ink" label={countOf(track.creditCost, 'credit')}>
          {track.creditCost}
        </Sticker>
      )}
    </Button>
  );
}
