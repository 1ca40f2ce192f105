import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../api/api.js';
import type { Sample, SimilarSamples } from '../../../application/catalogue/contract.js';
import type { Balance } from '../../../application/catalogue/values.js';
import { BalanceChoice } from '../by-sound/balance.js';
import { paths } from '../paths.js';
import { PickSummary } from '../picks/pick-bar.js';
import { PickBox } from '../picks/pick-box.js';
import { pickOf, usePicks } from '../picks/picks.js';
import { PlayButton } from '../player/play-button.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { KeyLabel, TempoLabel } from '../ui/sound/key-tempo.js';
import { EmptyState, LoadingText, QueryFailure, Skeleton } from '../ui/states.js';

type Similar = SimilarSamples['items'][number];

function SimilarRow({ sample, queue }: { sample: Similar; queue: readonly Sample[] }) {
  return (
    <li className="flex min-h-15 items-center gap-3 border-b border-line py-2">
      <PickBox thing={pickOf(sample)} list={() => queue.map(pickOf)} />
      <PlayButton sound={sample} queue={queue} className="icon-btn" />
      <Cover {...coverOf(sample)} size="small" className="w-10 flex-none" />
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <Link to={paths.sample(sample.id)} className="font-semibold no-underline hover:underline">
            {sample.title}
          </Link>{' '}
          <span className="text-muted">by {sample.creator.displayName}</span>
        </p>
        <ul aria-label="Why" className="flex flex-wrap gap-x-2.5 text-sm text-muted">
          {sample.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
      <span className="grid flex-none justify-items-end text-sm">
        <KeyLabel musicalKey={sample.key} />
        <TempoLabel bpm={sample.bpm} />
      </span>
    </li>
  );
}

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
          <SimilarRow key={item.id} sample={item} queue={items} />
        ))}
      </ul>
    </Dialog>
  );
}
