import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { invalidate } from '../../../api/query-client.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { notifyError } from '../../../ui/overlays/toast.js';

/**
 * Returns a function that asks the user and then removes an entry with `send`.
 * @param list the list to load again afterwards
 */
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

/** A panel with a title, an explanation, a status and a button, such as the panel of the passkeys. */
export function FactorPanel(props: {
  title: string;
  status?: ReactNode;
  text: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { title, status, text, action, children } = props;
  const id = useId();
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
