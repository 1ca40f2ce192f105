import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiAddress } from '../api/transport/backend.js';
import { messageOf, requestFile } from '../api/transport/http.js';
import { toast } from '../ui/overlays/toast.js';
import { saveAs } from './save-as.js';

/**
 * A link to a file that requires a fresh sign-in. With a plain link, the browser would save the refusal as the file.
 */
export function FileLink(props: { path: string; name: string; className: string; children: ReactNode }) {
  const { path, name, className, children } = props;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveAs(name, await requestFile(path), 'text/csv'),
    onError: (error) =>
      toast({ title: 'The file was not saved', description: messageOf(error), tone: 'danger' }),
  });
  return (
    <a
      href={apiAddress(path)}
      download={name}
      className={className}
      aria-busy={isPending || undefined}
      onClick={(event) => {
        event.preventDefault();
        if (!isPending) mutate();
      }}
    >
      {children}
    </a>
  );
}
