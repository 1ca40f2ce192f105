import { lazy } from 'react';
import { useConfirmation } from './confirmation.js';

const DownloadDialog = lazy(() => import('./download-dialog.js'));

/** The one place where "Confirm Download" appears. Mount once, within a Suspense. */
export function DownloadHost() {
  const confirmation = useConfirmation();
  return confirmation && <DownloadDialog confirmation={confirmation} />;
}
