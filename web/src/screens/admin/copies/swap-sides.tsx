import { swapSides, type SuspectedCopy } from '../../../api/copies.js';
import { askReason, type Decision } from '../../../staff/ask-reason.js';
import { Button } from '../../../ui/button.js';
import { toast } from '../../../ui/overlays/toast.js';

/** Swaps the sides, because the first creator to publish may be the thief. */
export function SwapSides(props: { copy: SuspectedCopy; onSwapped: (id: string) => void }) {
  const { copy, onSwapped } = props;
  const { original, newcomer } = copy;
  const decision: Decision = {
    title: `Take “${newcomer.title}” for the earlier one?`,
    consequence: `“${original.title}” by ${original.creatorName} is suspected instead. “${newcomer.title}” by ${newcomer.creatorName} may be sold.`,
    confirmLabel: 'Swap the sides',
    key: 'POST /api/admin/copies/:id/swap',
    subject: {},
    decide: async (reason) => {
      const { id } = await swapSides(copy.id, reason);
      toast({ title: `${original.title} is suspected now` });
      onSwapped(id);
    },
  };
  return (
    <div className="flex flex-wrap items-center justify-end gap-3 text-muted">
      Was B made first, although A was published first?
      <Button size="small" onClick={() => askReason(decision)}>
        Swap the sides...
      </Button>
    </div>
  );
}
