import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { Factors } from '../../../../../application/accounts/factors/contract.js';
import { api, mutation, query } from '../../../api/api.js';
import { invalidate } from '../../../api/query-client.js';
import { loadSession } from '../../../session/session.js';
import { lazyWithPreload } from '../../../shell/lazy-with-preload.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { formatDay } from '../../../ui/format.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { Section } from '../../../ui/section.js';
import { QueryFailure, Skeleton } from '../../../ui/states.js';
import { FactorPanel, useRemoval } from './factor-panel.js';
import { PasskeysPanel } from './passkeys-panel.js';

// `AppDialog` loads on demand, because it includes a library for QR codes.
const AppDialog = lazyWithPreload(() => import('./app-dialog.js'));
const RecoveryDialog = lazyWithPreload(() => import('./recovery-dialog.js'));

function AppPanel({ app }: Pick<Factors, 'app'>) {
  const order = useMutation({ ...mutation('POST /api/me/authenticator-app'), onError: notifyError });
  const { remove, isRemoving } = useRemoval(() => api('DELETE /api/me/authenticator-app'), {
    title: 'Remove the app?',
    message: 'Its codes are no longer asked for. Delete Offcut in the app, too.',
  });
  const done = () => {
    order.reset();
    toast({ title: 'The app was added' });
    void invalidate('GET /api/me/factors');
    void loadSession('user-updated');
  };
  return (
    <FactorPanel
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
            <Button size="small" tone="danger" busy={isRemoving} onClick={remove}>
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

function RecoveryPanel({ recoveryCodes }: Pick<Factors, 'recoveryCodes'>) {
  const issue = useMutation({
    ...mutation('POST /api/me/recovery-codes'),
    onSuccess: () => invalidate('GET /api/me/factors'),
    onError: notifyError,
  });
  const make = async () => {
    const question = {
      title: 'Make new codes?',
      message: 'The codes that you have no longer work then.',
      confirmLabel: 'Make new codes',
    };
    if (!recoveryCodes || (await askConfirm(question))) issue.mutate({});
  };
  const left = recoveryCodes?.left;
  return (
    <FactorPanel
      title="Recovery codes"
      status={
        <Badge tone={left === undefined || left <= 3 ? 'warn' : 'neutral'}>
          {left === undefined ? 'none yet' : `${left} left`}
        </Badge>
      }
      text="Ten codes for the day your phone is lost. Without them only we can let you in again, and that takes time."
      action={
        <Button size="small" busy={issue.isPending} onClick={() => void make()}>
          {recoveryCodes ? 'Make new codes' : 'Make codes'}
        </Button>
      }
    >
      {issue.data && (
        <Suspense>
          <RecoveryDialog codes={issue.data.codes} onClose={() => issue.reset()} />
        </Suspense>
      )}
    </FactorPanel>
  );
}

export function FactorsSection() {
  const answer = useQuery(query('GET /api/me/factors'));
  const { data, error } = answer;
  return (
    <Section title="Second factor" heading="display text-3xl">
      <p className="mt-2 mb-5 max-w-[60ch] text-muted">
        {data?.required
          ? 'Your role needs one: staff pages open only after it. The last one stays.'
          : 'With a second factor, your password alone is not enough to sign in.'}
      </p>
      <QueryFailure of={answer} title="This could not be loaded" />
      {!data && !error && (
        <div className="panel p-5">
          <Skeleton className="h-11" text="Loading..." />
        </div>
      )}
      {data && (
        <div className="grid grid-cols-1 gap-4">
          <PasskeysPanel factors={data} />
          <AppPanel app={data.app} />
          {(data.app || data.passkeys.length > 0) && <RecoveryPanel recoveryCodes={data.recoveryCodes} />}
        </div>
      )}
    </Section>
  );
}
