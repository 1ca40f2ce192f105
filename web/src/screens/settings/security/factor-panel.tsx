import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { invalidate } from '../../../api/query-client.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { notifyError } from '../../../ui/overlays/toast.js';

/** Asks, then removes an entry of `list` with `send`. */
export function useRemoval(
  send: () => Promise<unknown>,
  question: { title: string; message: string; confirmLabel?: string },
  list: 'GET /api/me/factors' | 'GET /api/tokens' = 'GET /api/me/factors',
) {
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess: () => invalidate(list),
    onError: notifyError,
  });
  const ask = async () => {
    if (await askConfirm({ confirmLabel: 'Remove', destructive: true, ...question })) mutate();
  };
  return { remove: () => void ask(), isRemoving: isPending };
}

/** One kind of second factor: explanation, status and button. */
export function FactorPanel(props: {
  id: string;
  title: string;
  status?: ReactNode;
  text: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { id, title, status, text, action, children } = props;
  return (
    <section aria-labelledby={id} className="panel">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4 p-5">
        <div className="min-w-0 flex-1 basis-64">
          <h3 id={id} className="flex flex-wrap items-center gap-2.5 text-md font-semibold">
            {title}
            {status}
          </h3>
          <p className="mt-1 text-muted">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
