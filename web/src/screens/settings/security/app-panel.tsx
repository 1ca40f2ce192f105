import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import { invalidate } from '../../../api/query-client.js';
import type { Factors } from '../../../../../application/accounts/contract.js';
import { api, mutation } from '../../../api/api.js';
import { loadSession } from '../../../session/session.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { formatDay } from '../../../ui/format.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { FactorPanel } from './factor-panel.js';
import { lazyWithPreload } from '../../../shell/lazy-with-preload.js';

// Loaded on demand, because it includes the QR code library.
const AppDialog = lazyWithPreload(() => import('./app-dialog.js'));

export function AppPanel({ app }: Pick<Factors, 'app'>) {
  const order = useMutation({ ...mutation('POST /api/me/authenticator-app'), onError: notifyError });
  const remove = useMutation({
    mutationFn: () => api('DELETE /api/me/authenticator-app'),
    onSuccess: () => invalidate('GET /api/me/factors'),
    onError: notifyError,
  });
  const ask = async () => {
    const sure = await askConfirm({
      title: 'Remove the app?',
      message: 'Its codes are no longer asked for. Delete Offcut in the app, too.',
      confirmLabel: 'Remove',
      destructive: true,
    });
    if (sure) remove.mutate();
  };
  const done = () => {
    order.reset();
    toast({ title: 'The app was added' });
    void invalidate('GET /api/me/factors');
    void loadSession('user-updated');
  };
  return (
    <FactorPanel
      id="app-title"
      title="Authenticator app"
      status={app && <Badge tone="ok">on</Badge>}
      text={
        app
          ? `Set up on ${formatDay(app.since)}. We ask for its six digits after the password.`
          : 'A six-digit code from an app on your phone, new every 30 seconds.'
      }
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="small" busy={order.isPending} onClick={() => order.mutate({})}>
            {app ? 'Replace' : 'Set up'}
          </Button>
          {app && (
            <Button size="small" tone="danger" busy={remove.isPending} onClick={() => void ask()}>
              Remove
            </Button>
          )}
        </div>
      }
    >
      {order.data && (
        <Suspense>
          <AppDialog {...order.data} onDone={done} onClose={() => order.reset()} />
        </Suspense>
      )}
    </FactorPanel>
  );
}
