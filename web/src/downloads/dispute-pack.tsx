import { type ReactNode, Suspense, useState } from 'react';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';

const DisputePackDialog = lazyWithPreload(() => import('./dispute-pack-dialog.js'));

/** Returns the dialog that downloads the proof of a licence, and a function that opens it. */
export function useDisputePack(
  certificateId: string,
  title: string,
): { open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => setOpen(true),
    dialog: isOpen && (
      <Suspense>
        <DisputePackDialog certificateId={certificateId} title={title} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
