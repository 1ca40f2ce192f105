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
import { SoundLines } from './sound-line.js';
import { EmptyState } from '../ui/states.js';

export default function SimilarDialog({ sample, onClose }: { sample: Sample; onClose: () => void }) {
  const [balance, setBalance] = useState<Balance>('timbre');
  const answer = useQuery(
    query('GET /api/samples/:id/similar', { params: { id: sample.id }, query: { by: 'sound', balance } }),
  );
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
          <div className="flex items-center flex-wrap gap-3">
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
      <SoundLines
        answer={answer}
        empty={
          <EmptyState title="No similar sounds yet">
            This sound may still be waiting for its analysis.
          </EmptyState>
        }
        before={(each, all) => <PickBox thing={pickOf(each)} list={() => all.map(pickOf)} />}
      />
    </Dialog>
  );
}
