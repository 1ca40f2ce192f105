import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { EraseAnswer } from '../../../../application/accounts/contract.js';
import { CLAIM_MONTHS } from '../../../../application/payouts/values.js';
import { useNavigate } from 'react-router-dom';
import { api, mutation, problemOf } from '../../api/api.js';
import { invalidate } from '../../api/query-client.js';
import { PreparedFiles } from '../../downloads/prepared-files.js';
import { paths } from '../../paths.js';
import { loadSession } from '../../session/session.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { formatMicroUsd } from '../../ui/format.js';
import { Button } from '../../ui/button.js';
import { Section } from '../../ui/section.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

type Claim = EraseAnswer['claim'];

const loadClaimDialog = () => import('./claim-dialog.js');
const DeleteDialog = lazyWithPreload(() => import('./delete-dialog.js'));
const ClaimDialog = lazyWithPreload(loadClaimDialog);

/**
 * Deletes the account. Asks the user first if a payout is owed.
 * @returns the claim to the owed payout, if any; `kept` if the user keeps the account because of this payout
 */
async function deleteAccount(): Promise<Claim | 'kept' | undefined> {
  try {
    await api('DELETE /api/me');
    return undefined;
  } catch (error) {
    const problem = problemOf('DELETE /api/me', error);
    if (problem?.code !== 'PayoutOwed') throw error;
    const owed = formatMicroUsd(problem.owedMicroUsd);
    const sure = await askConfirm({
      title: `You are owed ${owed}`,
      message: `First withdraw the available part on the Sales page. Or delete the account now and keep a claim code. For ${CLAIM_MONTHS} months we pay the person who shows the code, by transfer to a payout account. We keep no name with the code, so we cannot replace a lost one.`,
      confirmLabel: 'Delete and keep a claim',
      destructive: true,
    });
    if (!sure) return 'kept';
    // Loads the dialog before the deletion, so that a lost connection cannot prevent it from showing the code.
    await loadClaimDialog();
    return (await api('DELETE /api/me', { body: { claimPayout: true } }))?.claim;
  }
}

export function DataPanel() {
  const navigate = useNavigate();
  const leave = () => {
    void navigate(paths.home);
    toast({ title: 'Your account was deleted' });
  };
  const erase = useMutation({
    mutationFn: deleteAccount,
    onSuccess: async (owed) => {
      if (owed !== undefined) return;
      await loadSession('signed-out');
      leave();
    },
    onError: notifyError,
  });
  const order = useMutation({
    ...mutation('POST /api/me/exports'),
    onSuccess: () => invalidate('GET /api/me/exports'),
    onError: notifyError,
  });
  const claim = erase.data === 'kept' ? undefined : erase.data;
  const [asks, setAsks] = useState(false);
  return (
    <Section title="Your data" heading="text-md font-semibold" className="panel p-5">
      <p className="mt-1 text-muted">
        Everything kept about you, as one JSON file. You get a mail when it is ready.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" busy={order.isPending} onClick={() => order.mutate()}>
          Prepare a copy
        </Button>
        <Button
          size="small"
          tone="danger"
          busy={erase.isPending || claim !== undefined}
          onClick={() => setAsks(true)}
        >
          Delete account
        </Button>
      </div>
      <PreparedFiles of="me" />
      <Suspense>
        {asks && <DeleteDialog onClose={() => setAsks(false)} onDelete={() => erase.mutate()} />}
      </Suspense>
      {claim && (
        <Suspense>
          <ClaimDialog claim={claim} onWritten={leave} onGone={() => void loadSession('signed-out')} />
        </Suspense>
      )}
    </Section>
  );
}
