import { useMutation } from '@tanstack/react-query';
import { Download, ListPlus, X } from 'lucide-react';
import { askCollect } from '../collections/collect-request.js';
import { FormatField, useDownloadFormat } from '../downloads/download-format.js';
import { useToBuy } from '../downloads/owned.js';
import { useDownload } from '../downloads/use-download.js';
import { TryButton } from '../workbench/try-button.js';
import { Sticker } from '../ui/badge.js';
import { Button, IconButton } from '../ui/button.js';
import { countOf, formatBytes } from '../ui/format.js';
import { type Picked, clearPicks, usePicks } from './picks.js';

/** Returns the price of the picked samples, and how many are free because the visitor owns or made them. */
function useSum(picked: readonly Picked[]) {
  const { toBuy, costCredits } = useToBuy(picked.flatMap(({ sample }) => sample ?? []));
  return { costCredits, free: picked.length - toBuy.length };
}

function facts(
  picked: readonly Picked[],
  { costCredits, free }: ReturnType<typeof useSum>,
  isZip: boolean,
): string {
  const sizes = picked.flatMap(({ sizeBytes }) => sizeBytes ?? []);
  return [
    ...(costCredits > 0 ? [countOf(costCredits, 'credit')] : []),
    ...(free > 0 ? [free === picked.length ? 'nothing to pay' : `${free.toLocaleString('en')} owned`] : []),
    ...(picked.length > 1 && isZip ? ['one ZIP'] : []),
    ...(sizes.length === picked.length ? [formatBytes(sizes.reduce((sum, size) => sum + size, 0))] : []),
  ].join(', ');
}

/**
 * The number and the price of the picked samples, and buttons to download, collect, try or drop them.
 * @param props.onPress called before samples are downloaded, collected or tried, so that a dialog can close
 */
export function PickSummary({ onPress }: { onPress?: () => void }) {
  const picked = [...usePicks().values()];
  const { downloadPicked } = useDownload();
  const sum = useSum(picked);
  const { mutate, isPending } = useMutation({ mutationFn: () => downloadPicked(picked) });
  const isFree = sum.costCredits === 0;
  const isZip = useDownloadFormat() === null;
  const again = picked.length > 1 && isZip ? 'Download again as ZIP' : 'Download again';
  return (
    <>
      <p role="status" className="flex min-w-0 flex-1 gap-3 max-md:basis-full">
        <span className="flex-none font-semibold">{picked.length.toLocaleString('en')} picked</span>
        <span className="truncate text-muted">{facts(picked, sum, isZip)}</span>
      </p>
      <FormatField className="min-h-9! border-line! bg-raised! text-sm!" />
      <Button
        tone="primary"
        size="small"
        className="max-sm:min-h-11 max-sm:flex-1"
        data-action="download-picked"
        disabled={picked.length === 0}
        busy={isPending}
        icon={<Download size={16} />}
        onClick={() => {
          onPress?.();
          mutate();
        }}
      >
        {isFree && picked.length > 0 ? again : 'Download'}
        {!isFree && (
          <Sticker tone="ink" label={countOf(sum.costCredits, 'credit')}>
            {sum.costCredits.toLocaleString('en')}
          </Sticker>
        )}
      </Button>
      <IconButton
        label="Add to collection"
        className="max-sm:size-11"
        disabled={picked.length === 0}
        onClick={() => {
          onPress?.();
          const [first] = picked;
          const title = picked.length === 1 && first ? first.title : countOf(picked.length, 'sample');
          void askCollect({ title, sampleIds: picked.map(({ id }) => id) });
        }}
      >
        <ListPlus size={18} />
      </IconButton>
      <TryButton
        samples={picked.flatMap(({ sample }) => sample ?? [])}
        className="max-sm:size-11"
        onPress={onPress}
      />
      <IconButton label="Clear the selection" className="max-sm:size-11" onClick={clearPicks}>
        <X size={18} />
      </IconButton>
    </>
  );
}

/** The bar at the bottom of a page of the shop while the visitor picks samples. */
export default function PickBar() {
  return (
    <div
      role="region"
      aria-label="Selection"
      className="gutter fixed inset-x-0 bottom-[calc(var(--tabs)+var(--player))] z-25 flex min-h-14.25 items-center gap-x-3 gap-y-1 border-t border-strong bg-raised flex-wrap py-2"
    >
      <PickSummary />
    </div>
  );
}
