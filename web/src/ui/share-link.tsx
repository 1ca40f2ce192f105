import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { useCopy } from './hooks/use-copy.js';
import { Problem } from './states.js';

export function CopyLink({ url, label }: { url: string; label: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className="mt-3 flex gap-2">
      <input
        readOnly
        className="field min-h-10! min-w-0 flex-1 text-sm!"
        aria-label={label}
        value={url}
        onFocus={(event) => event.target.select()}
      />
      <Button onClick={() => copy(url)}>{copied ? 'Copied' : 'Copy'}</Button>
    </div>
  );
}

/** A button that runs a request, and shows the error if the request fails. */
export function Act({ label, run }: { label: string; run: () => Promise<unknown> }) {
  const act = useMutation({ mutationFn: run });
  return (
    <div className="mt-3">
      <Button size="small" busy={act.isPending} onClick={() => act.mutate()}>
        {label}
      </Button>
      <Problem of={act.error} className="pt-2" />
    </div>
  );
}

/** A link for listeners that its owner creates and ends. `children` follow the link. */
export function ShareLink(props: {
  url: string | null;
  create: () => Promise<unknown>;
  end: () => Promise<unknown>;
  children?: ReactNode;
}) {
  const { url, create, end, children } = props;
  if (url === null) return <Act key="make" label="Create a link" run={create} />;
  return (
    <>
      <CopyLink url={url} label="Link for listeners" />
      {children}
      <Act key="end" label="End this link" run={end} />
    </>
  );
}
