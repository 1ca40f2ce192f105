import { useMutation, useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { invalidate } from '../../../api/query-client.js';
import { deviceNow } from '../../../clock.js';
import type { SessionItem } from '../../../../../application/accounts/contract.js';
import { mutation, query } from '../../../api/api.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { formatAgo } from '../../../ui/format.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { QueryFailure, Skeleton } from '../../../ui/states.js';

const HAND_HELD = /\b(?:iPhone|iPad|Android)$/;

function Session({ session }: { session: SessionItem }) {
  const { id, device, place, lastUsedAt, current } = session;
  const end = useMutation({
    ...mutation('DELETE /api/me/sessions/:id'),
    onSuccess: () => {
      toast({ title: `Signed out of ${device}` });
      return invalidate('GET /api/me/sessions');
    },
    onError: notifyError,
  });
  const Icon = HAND_HELD.test(device) ? Smartphone : Monitor;
  return (
    <li className="flex min-h-[61px] items-center gap-4 border-t border-line px-5 py-2">
      <Icon size={17} className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{device}</p>
        <p className="truncate text-sm text-muted">
          {place ? `${place}, ` : ''}
          <time dateTime={lastUsedAt}>{formatAgo(lastUsedAt, deviceNow())}</time>
        </p>
      </div>
      {current ? (
        <Badge tone="ok">This one</Badge>
      ) : (
        <Button
          size="small"
          tone="quiet"
          aria-label={`End ${device}`}
          busy={end.isPending}
          onClick={() => end.mutate({ params: { id } })}
        >
          End
        </Button>
      )}
    </li>
  );
}

const currentFirst = (a: SessionItem, b: SessionItem): number => Number(b.current) - Number(a.current);

export function SessionsPanel() {
  const answer = useQuery(query('GET /api/me/sessions'));
  const { data, error } = answer;
  const endOthers = useMutation({
    ...mutation('DELETE /api/me/sessions'),
    onSuccess: () => {
      toast({ title: 'You are signed out everywhere else' });
      return invalidate('GET /api/me/sessions');
    },
    onError: notifyError,
  });
  return (
    <section aria-labelledby="sessions-title" className="panel self-start">
      <div className="flex min-h-[53px] items-center gap-3 px-5">
        <h2 id="sessions-title" className="text-md font-semibold">
          Where you are signed in
        </h2>
        <span className="flex-1" />
        {(data?.items.length ?? 0) > 1 && (
          <button
            type="button"
            className="underlined py-2"
            disabled={endOthers.isPending}
            onClick={() => endOthers.mutate({})}
          >
            End all others
          </button>
        )}
      </div>
      <QueryFailure of={answer} title="Your sessions could not be loaded" className="p-4" />
      {!data && !error && (
        <div className="border-t border-line p-5">
          <Skeleton className="h-5" text="Loading sessions..." />
        </div>
      )}
      {data && (
        <ul>
          {data.items.toSorted(currentFirst).map((session) => (
            <Session key={session.id} session={session} />
          ))}
        </ul>
      )}
    </section>
  );
}
