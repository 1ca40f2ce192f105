import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import { invalidate } from '../../../api/query-client.js';
import type { Factors } from '../../../../../application/accounts/contract.js';
import { mutation } from '../../../api/api.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { notifyError } from '../../../ui/overlays/toast.js';
import { FactorPanel } from './factor-panel.js';
import { lazyWithPreload } from '../../../shell/lazy-with-preload.js';

const RecoveryDialog = lazyWithPreload(() => import('./recovery-dialog.js'));

const FEW = 3;

export function RecoveryPanel({ recoveryCodes }: Pick<Factors, 'recoveryCodes'>) {
  const issue = useMutation({
    ...mutation('POST /api/me/recovery-codes'),
    onSuccess: () => invalidate('GET /api/me/factors'),
    onError: notifyError,
  });
  const make = async () => {
    const sure =
      !recoveryCodes ||
      (await askConfirm({
        title: 'Make new codes?',
        message: 'The codes that you have no longer work then.',
        confirmLabel: 'Make new codes',
      }));
    if (sure) issue.mutate({});
  };
  const left = recoveryCodes?.left;
  return (
    <FactorPanel
      id="recovery-title"
      title="Recovery codes"
      status={
        <Badge tone={left === undefined || left <= FEW ? 'warn' : 'neutral'}>
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
