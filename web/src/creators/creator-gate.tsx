import { useMutation, useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { CreatorState } from '../../../application/publishing/contract.js';
import { SUSPENSION_NOTICE } from '../../../application/publishing/values.js';
import { creatorQuery } from '../api/account.js';
import { api } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { paths } from '../paths.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import { Button, ButtonLink, type ButtonSize } from '../ui/button.js';
import { notifyError } from '../ui/overlays/toast.js';

const ApplyDialog = lazyWithPreload(() => import('./apply-dialog.js'));

/** A button that opens the form for the application, or for the answer to a question of the staff about it. */
export function ApplyButton({ creator, size }: { creator: CreatorState; size?: ButtonSize }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="primary" size={size} onClick={() => setOpen(true)}>
        {creator.status === 'asked' ? 'Answer' : 'Apply for creator access'}
      </Button>
      <Suspense>{isOpen && <ApplyDialog creator={creator} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function WithdrawApplication() {
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => api('DELETE /api/creator/application'),
    onSuccess: (answer) => queryClient.setQueryData(creatorQuery.queryKey, answer),
    onError: notifyError,
  });
  return (
    <Button busy={isPending || isSuccess} onClick={() => mutate()}>
      Withdraw application
    </Button>
  );
}

/** Whether the user may send an application or an answer now. */
export const mayApply = ({ status }: CreatorState): boolean =>
  status === 'none' || status === 'declined' || status === 'asked';

const OBSTACLES = {
  none: 'Creator permissions are needed to upload audio and to publish. Apply here, or contact support.',
  applied: 'We are reviewing your application. For questions, contact support.',
  asked: 'We have a question about your application.',
  declined: 'Your application was declined. You may apply again, or contact support.',
  suspended: `Your creator access is suspended. ${SUSPENSION_NOTICE} For questions, contact support.`,
} as const;

/** Shows signed-in users without creator approval how to get it. */
export function CreatorGate() {
  const { data, error } = useQuery(creatorQuery);
  if (!data) {
    return (
      <p role="status" className="py-8 text-center text-muted">
        {error ? 'Your access could not be checked. Please try again later.' : 'Checking access...'}
      </p>
    );
  }
  if (data.status === 'approved') return null;
  return (
    <section className="panel flex flex-wrap items-center gap-x-5 gap-y-4 p-5" aria-labelledby="gate-title">
      <Lock size={20} className="text-muted" />
      <div className="min-w-0 flex-[1_1_320px]">
        <h2 id="gate-title" className="text-lg font-semibold">
          Creator Access Required
        </h2>
        <p className="mt-0.5 max-w-[64ch] text-muted">{OBSTACLES[data.status]}</p>
        {data.reason && (
          <p className="mt-2 max-w-[64ch] border-l-3 border-danger pl-3">
            {data.status !== 'asked' && <span className="text-muted">Reason: </span>}
            {data.reason}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.discover}>Back to Discover</ButtonLink>
        {(data.status === 'applied' || data.status === 'asked') && <WithdrawApplication />}
        {mayApply(data) && <ApplyButton creator={data} />}
      </div>
    </section>
  );
}
