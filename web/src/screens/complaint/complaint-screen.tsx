import { Suspense } from 'react';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// A file of its own, so that not every page loads its dependencies.
const Complaint = lazyWithPreload(() => import('./complaint.js'));

export default function ComplaintScreen() {
  return (
    <Suspense>
      <Complaint />
    </Suspense>
  );
}
