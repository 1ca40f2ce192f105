import { Suspense } from 'react';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// Loads on demand, so that the code for complaints stays out of the first load.
const Complaint = lazyWithPreload(() => import('./complaint.js'));

export default function ComplaintScreen() {
  return (
    <Suspense>
      <Complaint />
    </Suspense>
  );
}
