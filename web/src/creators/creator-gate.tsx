import { useMutation, useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { SUSPENSION_NOTICE } from '../../../application/publishing/values.js';
import { creatorQuery } from '../api/account.js';
import { paths } from '../paths.js';
import { api } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { loadSession } from '../session/session.js';
import { Button, ButtonLink, type ButtonSize } from '../ui/button.js';
import { notifyError, toast } from '../ui/overlays/toast.js';

/** Applies for creator access. If access is granted at once, header and restricted pages update without a reload. */
export function ApplyButton({ size }: { size?: ButtonSize }) {
  const apply = useMutation({
    mutationFn: async () => {
      await api('POST /api/creator/application');
      await Promise.all([queryClient.refetchQueries(creatorQuery), loadSession('user-updated')]);
      if (queryClient.getQueryData(creatorQuery.queryKey)?.status === 'approved')
        toast({ title: 'Welcome, creator', description: 'You may upload and publish now.' });
      else toast({ title: 'Application sent', description: 'We review it and write to you.' });
    },
    onError: notifyError,
  });
  return (
    <Button tone="primary" size={size} busy={apply.isPending} onClick={() => apply.mutate()}>
      Apply for creator access
    </Button>
  );
}

const OBSTACLES = {
  none: 'Creator permissions are needed to upload audio and to publish. Apply here, or contact support.',
  applied: 'We are reviewing your application. For questions, contact support.',
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
  const mayApply = data.status === 'none' || data.status === 'declined';
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
            <span className="text-muted">Reason:</span> {data.reason}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.discover}>Back to Discover</ButtonLink>
        {mayApply && <ApplyButton />}
      </div>
    </section>
  );
}
