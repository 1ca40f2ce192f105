import './copies.css';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { copyQuery, openCopiesQuery, type SuspectedCopy } from '../../../api/copies.js';
import { staffPaths } from '../../../staff/paths.js';
import { useSession } from '../../../session/session.js';
import { Awaited } from '../../../staff/awaited.js';
import { Button } from '../../../ui/button.js';
import { EmptyState } from '../../../ui/states.js';
import { Decision } from './decision.js';
import { Players } from './players.js';
import { Queue } from './queue.js';
import { Sides } from './sides.js';
import { datedUtc } from './words.js';

const KINDS = { licence: 'has a licence', 'own work': 'made it' } as const;

/** What both creators say. */
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
  const when = decidedAt ? `, ${datedUtc(decidedAt)}` : '';
  return (
    <section aria-label="Decision" className="panel px-5 py-4">
      <p className="font-semibold first-letter:uppercase">
        {status === 'lapsed'
          ? `The sound is gone, so nobody had to decide${when}.`
          : `${status} by ${decidedBy}${when}.`}
      </p>
      {reason && <p className="mt-1 break-words text-muted">{reason}</p>}
    </section>
  );
}

function Pair({ id, onDecided }: { id: string; onDecided: () => void }) {
  const query = useQuery(copyQuery(id));
  const me = useSession().user?.id;
  const copy = query.data;
  if (!copy)
    return (
      <Awaited
        query={query}
        failure="The pair could not be loaded"
        loading="Loading the pair..."
        height={600}
      />
    );
  const isOwn = [copy.original.creatorId, copy.newcomer.creatorId].includes(me ?? '');
  return (
    <div className="copies-pair">
      <Sides copy={copy} />
      <Players copy={copy} />
      <Said copy={copy} />
      {copy.status !== 'open' ? (
        <Outcome copy={copy} />
      ) : isOwn ? (
        <p className="panel px-5 py-4 text-muted">One of the two is yours, so somebody else decides.</p>
      ) : (
        <Decision key={copy.id} copy={copy} onDecided={onDecided} />
      )}
    </div>
  );
}

/** Two sounds that are alike: listen, then decide about the newcomer. */
export function CopiesPage() {
  const query = useQuery(openCopiesQuery);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const items = query.data?.items;
  const chosen = search.get('copy') ?? items?.[0]?.id;
  const at = items?.findIndex(({ id }) => id === chosen) ?? -1;
  const next = items && items.length > 1 ? items[(at + 1) % items.length] : undefined;
  return (
    <>
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-3">
        <p className="mr-auto text-muted">
          Two sounds that share a fingerprint. Listen, then decide about the newcomer.
        </p>
        {items && at >= 0 && (
          <p className="text-muted">
            {at + 1} of {items.length}
          </p>
        )}
        {next && (
          <Button
            onClick={() => void navigate(staffPaths.adminCopies(next.id), { preventScrollReset: true })}
          >
            Next pair <ArrowRight size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        )}
      </div>
      {!items && (
        <Awaited
          query={query}
          failure="The queue could not be loaded"
          loading="Loading the queue..."
          height={600}
        />
      )}
      {items && (
        <div className="copies">
          <Queue items={items} chosen={chosen} />
          {chosen ? (
            <Pair
              key={chosen}
              id={chosen}
              // Where it was stays in the address, so that what came of it is read.
              onDecided={() =>
                void navigate(staffPaths.adminCopies(next?.id ?? ''), { preventScrollReset: true })
              }
            />
          ) : (
            <EmptyState title="Nothing waits">
              Sounds that are like another creator’s are listed here until somebody decides.
            </EmptyState>
          )}
        </div>
      )}
    </>
  );
}
