import { Suspense, useEffect } from 'react';
import { held } from '../held.js';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';
import type { Decision } from './reason-dialog.js';

export type { Decision } from './reason-dialog.js';

const ReasonDialog = lazyWithPreload(() => import('./reason-dialog.js'));

const asked = held<Decision | undefined>(undefined);

export const askReason = (decision: Decision): void => asked.set(decision);

/** The place of the open dialog, once in every screen of the staff. */
export function ReasonDialogs() {
  const decision = asked.use();
  useEffect(() => {
    void ReasonDialog.load().catch(() => undefined);
    return () => asked.set(undefined);
  }, []);
  return (
    decision && (
      <Suspense>
        <ReasonDialog decision={decision} onClose={() => asked.set(undefined)} />
      </Suspense>
    )
  );
}
