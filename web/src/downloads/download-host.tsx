import { lazy } from 'react';
import { useConfirmation } from './confirmation.js';

const ConfirmDialog = lazy(() => import('./confirm-dialog.js'));

/** The one place where "Confirm Download" appears. Mount once, within a Suspense. */
export function DownloadHost() {
  const confirmation = useConfirmation();
  return confirmation && <ConfirmDialog confirmation={confirmation} />;
}
