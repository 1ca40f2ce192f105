import { Suspense } from 'react';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// The page loads on demand, so that code that only complaints need is in none of the files that every page loads
// first.
const Complaint = lazyWithPreload(() => import('./complaint.js'));

export default function ComplaintScreen() {
  return (
    <Suspense>
      <Complaint />
    </Suspense>
  );
}
