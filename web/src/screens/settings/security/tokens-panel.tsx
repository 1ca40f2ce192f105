import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { AccessTokenItem } from '../../../../../application/accounts/tokens/contract.js';
import { api, query } from '../../../api/api.js';
import { deviceNow } from '../../../clock.js';
import { lazyWithPreload } from '../../../shell/lazy-with-preload.js';
import { Button, IconButton } from '../../../ui/button.js';
import { formatAgo, formatDay } from '../../../ui/format.js';
import { QueryFailure, Skeleton } from '../../../ui/states.js';
import { FactorPanel, useRemoval } from './factor-panel.js';

const TokenDialog = lazyWithPreload(() => import('./token-dialog.js'));

function Token({ token }: { token: AccessTokenItem }) {
  const { id, name, scopes, expiresAt, lastUsedAt } = token;
  const { remove, isRemoving } = useRemoval(
    () => api('DELETE /api/tokens/:id', { params: { id } }),
    {
      title: `Revoke ${name}?`,
      message: 'Programs that use it stop working at once.',
      confirmLabel: 'Revoke',
    },
    'GET /api/tokens',
  );
  return (
    <li className="flex min-h-[61px] items-center gap-3 border-t border-line py-2 pr-3 pl-5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{name}</p>
        <p className="text-sm text-muted">
          {lastUsedAt ? `Used ${formatAgo(lastUsedAt, deviceNow())}` : 'Never used'}
          {expiresAt && `, ends ${formatDay(expiresAt)}`}
        </p>
        <p className="mono text-sm break-words text-muted">{scopes.join(', ')}</p>
      </div>
      <IconButton label="Revoke" about={name} busy={isRemoving} onClick={remove}>
        <Trash2 size={16} />
      </IconButton>
    </li>
  );
}

export function TokensPanel({ isCreator }: { isCreator: boolean }) {
  const [isNew, setNew] = useState(false);
  const answer = useQuery(query('GET /api/tokens'));
  const { data, error } = answer;
  return (
    <FactorPanel
      title="Access tokens"
      text="For programs that act for you, such as one that keeps your purchases in a folder."
      action={
        <Button size="small" onClick={() => setNew(true)}>
          New token
        </Button>
      }
    >
      <QueryFailure of={answer} title="Your access tokens could not be loaded" className="p-4" />
      {!data && !error && (
        <div className="border-t border-line p-5">
          <Skeleton className="h-5" text="Loading access tokens..." />
        </div>
      )}
      {data && data.items.length > 0 && (
        <ul>
          {data.items.map((token) => (
            <Token key={token.id} token={token} />
          ))}
        </ul>
      )}
      {isNew && (
        <Suspense>
          <TokenDialog isCreator={isCreator} onClose={() => setNew(false)} />
        </Suspense>
      )}
    </FactorPanel>
  );
}
