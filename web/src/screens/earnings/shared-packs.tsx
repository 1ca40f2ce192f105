import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Split } from '../../../../application/payouts/contract.js';
import { answerSplit, inPercent, isOpenSplit, splitsQuery } from '../../creators/splits.js';
import { paths } from '../../paths.js';
import { Avatar } from '../../ui/avatar.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay } from '../../ui/format.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { useLogged } from './use-logged.js';

const DONE = {
  accept: 'You share this pack from its next sale on',
  decline: 'The offer was declined',
  end: 'The split has ended',
} as const;

function Row({ split }: { split: Split }) {
  const { packTitle, packSlug, owner, bps, status, changedAt } = split;
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (answer: keyof typeof DONE) => {
      const message = `From the next sale on, you earn nothing from “${packTitle}”. What you earned stays yours.`;
      if (
        answer === 'end' &&
        !(await askConfirm({ title: 'End this split?', message, confirmLabel: 'End split' }))
      )
        return;
      await answerSplit(split, answer);
      toast({ title: DONE[answer] });
    },
    onError: notifyError,
  });
  const button = (answer: keyof typeof DONE, label: string, tone?: 'primary' | 'quiet') => (
    <Button
      size="small"
      tone={tone}
      busy={isPending && variables === answer}
      disabled={isPending}
      aria-label={`${label} “${packTitle}”`}
      onClick={() => mutate(answer)}
    >
      {label}
    </Button>
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0">
      <Avatar name={owner.displayName} size={36} />
      <div className="min-w-0 flex-[1_1_220px]">
        <p className="truncate font-semibold">
          {status === 'accepted' ? (
            <Link
              to={paths.pack({ slug: packSlug, creator: owner.handle ?? '' })}
              className="hover:underline"
            >
              {packTitle}
            </Link>
          ) : (
            packTitle
          )}
        </p>
        <p className="truncate text-sm text-muted">
          {status === 'accepted'
            ? `by ${owner.displayName}, since ${formatDay(changedAt)}`
            : `offered by ${owner.displayName}`}
        </p>
      </div>
      <strong className="whitespace-nowrap">{inPercent(bps)} of the share</strong>
      {status === 'proposed' ? (
        <span className="flex gap-2">
          {button('accept', 'Accept', 'primary')}
          {button('decline', 'Decline')}
        </span>
      ) : (
        <span className="flex items-center gap-2">
          <Badge tone="ok">accepted</Badge>
          {button('end', 'End', 'quiet')}
        </span>
      )}
    </li>
  );
}

/** Packs of other creators who give or offer the user a part of their share; renders nothing without such packs. */
export function SharedPacks({ userId }: { userId: string }) {
  const splits = useInfiniteQuery(splitsQuery());
  const known = splits.data?.pages.flatMap(({ items }) => items) ?? [];
  useLogged('Your shared packs', splits.error);
  const shared = known.filter((split) => isOpenSplit(split) && split.collaborator.id === userId);
  if (shared.length === 0 && !splits.hasNextPage) return null;
  return (
    <section aria-labelledby="shared-title" className="panel min-w-0 p-5 max-md:p-4">
      <h2 id="shared-title" className="text-lg font-semibold">
        Shared packs
      </h2>
      <p className="mt-1 text-sm text-muted">
        Packs of other creators whose share you divide. You are paid on your own account.
      </p>
      <ul className="mt-2">
        {shared.map((split) => (
          <Row key={split.id} split={split} />
        ))}
      </ul>
      {splits.hasNextPage && (
        <Button size="small" busy={splits.isFetchingNextPage} onClick={() => void splits.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}
