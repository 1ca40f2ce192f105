import { Download } from 'lucide-react';
import { Sticker } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Cover } from '../ui/sound/cover.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { type Confirmation, answerPrice } from './confirmation.js';

/** "1 Credit", "2 Credits". */
export function costLabel(credits: number): string {
  return `${credits.toLocaleString('en')} ${credits === 1 ? 'Credit' : 'Credits'}`;
}

/** Asks before credits are spent. Only "Download" pays. */
export default function DownloadDialog({ confirmation }: { confirmation: Confirmation }) {
  const { title, by, cover, costCredits, balanceCredits, formerCostCredits, busy } = confirmation;
  return (
    <Dialog
      open
      alert
      onClose={() => answerPrice(false)}
      title="Confirm Download"
      width={372}
      actions={
        <>
          <Button disabled={busy} onClick={() => answerPrice(false)}>
            Cancel
          </Button>
          <Button
            tone="primary"
            busy={busy}
            icon={<Download size={17} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => answerPrice(true)}
          >
            Download
          </Button>
        </>
      }
    >
      <p className="mb-3 text-muted">You&apos;re about to download:</p>
      <div className="flex items-center gap-3">
        <Cover {...cover} size="small" className="w-12 flex-none" />
        <div className="min-w-0">
          <p className="truncate text-md font-semibold">{title}</p>
          <p className="truncate text-muted">{by}</p>
        </div>
      </div>
      {formerCostCredits !== null && (
        <p role="alert" className="mt-4 border-l-3 border-warn pl-3 text-warn">
          The price changed from {costLabel(formerCostCredits)} to {costLabel(costCredits)}. Nothing was
          charged.
        </p>
      )}
      <dl className="mt-4 grid grid-cols-[1fr_auto] items-center gap-y-2 border-t border-line pt-4">
        <dt>Credit Cost:</dt>
        <dd className="flex items-center gap-2 font-semibold">
          <span aria-hidden="true">
            <Sticker tone="accent">{costCredits}</Sticker>
          </span>
          {costLabel(costCredits)}
        </dd>
        {balanceCredits !== null && (
          <>
            <dt className="text-sm text-muted">You have {balanceCredits.toLocaleString('en')}</dt>
            <dd className="justify-self-end text-sm text-muted">
              {(balanceCredits - costCredits).toLocaleString('en')} after this
            </dd>
          </>
        )}
      </dl>
    </Dialog>
  );
}
