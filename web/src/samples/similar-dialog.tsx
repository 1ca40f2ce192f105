import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../api/api.js';
import type { Sample } from '../../../application/catalogue/contract.js';
import type { Balance } from '../../../application/catalogue/values.js';
import { BalanceChoice } from '../by-sound/balance.js';
import { PickSummary } from '../picks/pick-bar.js';
import { PickBox } from '../picks/pick-box.js';
import { pickOf, usePicks } from '../picks/picks.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { SoundLine } from './sound-line.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../ui/states.js';

function SimilarSkeleton() {
  return (
    <>
      <LoadingText>Loading similar sounds...</LoadingText>
      {Array.from({ length: 10 }, (_, at) => (
        <div key={at} aria-hidden="true" className="flex h-15 items-center gap-3 border-b border-line">
          <Skeleton className="ml-12 size-10" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      ))}
    </>
  );
}

export default function SimilarDialog({ sample, onClose }: { sample: Sample; onClose: () => void }) {
  const [balance, setBalance] = useState<Balance>('timbre');
  const answer = useQuery(
    query('GET /api/samples/:id/similar', { params: { id: sample.id }, query: { by: 'sound', balance } }),
  );
  const { data, error } = answer;
  const items = data?.items ?? [];
  const hasPicks = usePicks().size > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Similar sounds"
      description={`To ${sample.title}`}
      width={620}
      actions={
        hasPicks && (
          <div className="flex items-center gap-3">
            <PickSummary onPress={onClose} />
          </div>
        )
      }
    >
      <div className="flex items-center justify-between gap-3 pb-2">
        <span className="text-sm text-muted" aria-hidden="true">
          What counts most
        </span>
        <BalanceChoice value={balance} onChange={setBalance} />
      </div>
      {!data && !error && <SimilarSkeleton />}
      <QueryFailure of={answer} title="Similar sounds could not be loaded" />
      {data && items.length === 0 && (
        <EmptyState title="No similar sounds yet">
          This sound may still be waiting for its analysis.
        </EmptyState>
      )}
      <ul className="list-none p-0">
        {items.map((item) => (
          <SoundLine
            key={item.id}
            sample={item}
            queue={items}
            reasons={item.reasons}
            before={<PickBox thing={pickOf(item)} list={() => items.map(pickOf)} />}
          />
        ))}
      </ul>
    </Dialog>
  );
}
