import { Suspense } from 'react';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// What it needs is named here, not in what every page loads.
const Complaint = lazyWithPreload(() => import('./complaint.js'));

export default function ComplaintScreen() {
  return (
    <Suspense>
      <Complaint />
    </Suspense>
  );
}
