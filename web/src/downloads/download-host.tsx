import { useConfirmation } from './confirmation.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';

const DownloadDialog = lazyWithPreload(() => import('./download-dialog.js'));

/** Renders "Confirm Download". Mount once, within a Suspense. */
export function DownloadHost() {
  const confirmation = useConfirmation();
  return confirmation && <DownloadDialog confirmation={confirmation} />;
}
