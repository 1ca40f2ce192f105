import { useMutation } from '@tanstack/react-query';
import { creatorQuery } from '../api/account.js';
import { api } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { loadSession } from '../session/session.js';
import { Button, type ButtonSize } from '../ui/button.js';
import { notifyError, toast } from '../ui/overlays/toast.js';

/** Applies for creator access. If it is granted at once, header and restricted pages update without a reload. */
export function ApplyButton({ size }: { size?: ButtonSize }) {
  const apply = useMutation({
    mutationFn: async () => {
      await api('POST /api/creator/application');
      await Promise.all([queryClient.refetchQueries(creatorQuery), loadSession('user-updated')]);
      const status = queryClient.getQueryData(creatorQuery.queryKey)?.status;
      if (status === 'approved')
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
