import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiAddress } from '../api/transport/backend.js';
import { requestFile } from '../api/transport/http.js';
import { notifyOf } from '../ui/overlays/toast.js';
import { saveAs } from './deliver.js';

/** A link to a file that needs a fresh sign-in. A plain link would save the refusal as the file. */
export function FileLink(props: {
  path: string;
  name: string;
  /** The media type. */
  type?: string;
  className: string;
  children: ReactNode;
}) {
  const { path, name, type = 'text/csv', className, children } = props;
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveAs(name, await requestFile(path), type),
    onError: notifyOf('The file was not saved'),
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
