import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { query } from '../../../api/api.js';
import { copiesQuery, swapSides, type SuspectedCopy } from '../../../api/copies.js';
import { useNextPages } from '../../../api/next-page.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { useSession } from '../../../session/session.js';
import { utcTime } from '../../../staff/dates.js';
import { usePages } from '../../../staff/list/paged-list.js';
import { askReason, type Decision as Reasoned } from '../../../staff/decisions.js';
import { Awaited } from '../../../staff/page-parts.js';
import { toast } from '../../../ui/overlays/toast.js';
import { Chip } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/states.js';
import { Decision } from './decision.js';
import { Players } from './players.js';
import { type CopiesState, Queue } from './queue.js';
import { Sides } from './sides.js';

/** A button that swaps original and suspected copy, because the first creator to publish may be the thief. */
function SwapSides(props: { copy: SuspectedCopy; onSwapped: (id: string) => void }) {
  const { copy, onSwapped } = props;
  const { original, newcomer } = copy;
  const decision: Reasoned = {
    title: `Take “${newcomer.title}” for the earlier one?`,
    consequence: `“${original.title}” by ${original.creatorName} is suspected instead. “${newcomer.title}” by ${newcomer.creatorName} may be sold.`,
    confirmLabel: 'Swap the sides',
    key: 'POST /api/admin/copies/:id/swap',
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

const KINDS = { licence: 'has a licence', 'own work': 'made it' } as const;

function Said({ copy }: { copy: SuspectedCopy }) {
  const { statement, answer, newcomer, original } = copy;
  if (!statement && answer === null) return null;
  return (
    <section aria-label="What they say" className="panel grid gap-3 px-5 py-4">
      {statement && (
        <p className="break-words">
          <b>
            {newcomer.creatorName} says that they {KINDS[statement.kind].replace('has', 'have')}:
          </b>{' '}
          {statement.text || 'The text is gone.'}
        </p>
      )}
      {answer !== null && (
        <p className="break-words">
          <b>{original.creatorName} says:</b> {answer}
        </p>
      )}
    </section>
  );
}

function Outcome({ copy }: { copy: SuspectedCopy }) {
  const { status, decidedBy, decidedAt, reason } = copy;
  const when = decidedAt ? `, ${utcTime(decidedAt)}` : '';
  return (
    <section aria-label="Decision" className="panel px-5 py-4">
      <p className="font-semibold first-letter:uppercase">
        {status === 'lapsed'
          ? `The sound was deleted, so no decision was needed${when}.`
          : status === 'swapped'
            ? `${decidedBy} took B for the earlier one${when}. A is suspected instead.`
            : `${status} by ${decidedBy}${when}.`}
      </p>
      {reason && <p className="mt-1 break-words text-muted">{reason}</p>}
      <p className="mt-2">
        <Link to={`${staffPaths.adminAudit()}?kind=copy`} className="underlined">
          Who did what about copies
        </Link>
      </p>
    </section>
  );
}

function Pair({ id, onDecided }: { id: string; onDecided: (instead?: string) => void }) {
  const answer = useQuery(query('GET /api/admin/copies/:id', { params: { id } }));
  const me = useSession().user?.id;
  const copy = answer.data;
  if (!copy) return <Awaited query={answer} what="pair" height={600} />;
  const isOwn = [copy.original.creatorId, copy.newcomer.creatorId].includes(me ?? '');
  return (
    <div className="grid min-w-0 content-start gap-4">
      <Sides copy={copy} />
      <Players copy={copy} />
      <Said copy={copy} />
      {copy.status !== 'open' ? (
        <Outcome copy={copy} />
      ) : isOwn ? (
        <p className="panel px-5 py-4 text-muted">One of the sounds is yours, so a colleague must decide.</p>
      ) : (
        <>
          <Decision key={copy.id} copy={copy} onDecided={onDecided} />
          <SwapSides copy={copy} onSwapped={onDecided} />
        </>
      )}
    </div>
  );
}

export function CopiesPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const state: CopiesState = search.get('state') === 'decided' ? 'decided' : 'open';
  const answer = usePages(copiesQuery(state));
  const items = answer.data?.items;
  const chosen = search.get('copy') ?? items?.[0]?.id;
  const at = items?.findIndex(({ id }) => id === chosen) ?? -1;
  const isLast = at >= 0 && at === (items?.length ?? 0) - 1;
  // Loads more pairs when the last loaded pair is shown, so that "Next pair" can continue after it.
  useNextPages(answer, isLast);
  const next = items && items.length > 1 ? items[(at + 1) % items.length] : undefined;
  return (
    <>
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-3 xl:-mt-14 xl:pl-64">
        <p className="mr-auto text-muted">
          Two sounds that share a fingerprint. Listen, then decide about the newcomer.
        </p>
        <div role="group" aria-label="Which" className="flex gap-2">
          {(['open', 'decided'] as const).map((each) => (
            <Chip
              key={each}
              pressed={each === state}
              onClick={() => void navigate(staffPaths.adminCopies('', each))}
            >
              {each === 'open' ? 'Waiting' : 'Decided'}
            </Chip>
          ))}
        </div>
        {items && at >= 0 && (
          <p className="text-muted">
            {at + 1} of {items.length}
            {answer.hasNextPage && ' and more'}
          </p>
        )}
        {next && (
          <Button
            onClick={() =>
              void navigate(staffPaths.adminCopies(next.id, state), { preventScrollReset: true })
            }
          >
            Next pair <ArrowRight size={16} />
          </Button>
        )}
      </div>
      {!items && <Awaited query={answer} what="queue" height={600} />}
      {items && (
        <div className="grid grid-cols-1 gap-4 xl:split-296">
          <Queue list={answer} chosen={chosen} state={state} />
          {chosen ? (
            <Pair
              key={chosen}
              id={chosen}
              // Opens the pair that replaces this one after a swap, or the next pair after a decision.
              onDecided={(instead = next?.id ?? '') =>
                void navigate(staffPaths.adminCopies(instead), { preventScrollReset: true })
              }
            />
          ) : (
            <EmptyState title={state === 'open' ? 'Nothing waits' : 'Nothing was decided'}>
              Sounds that are like another creator’s are listed here{' '}
              {state === 'open' ? 'until the decision' : 'after the decision'}.
            </EmptyState>
          )}
        </div>
      )}
    </>
  );
}
