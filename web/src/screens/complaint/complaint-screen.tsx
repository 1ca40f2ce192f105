import { Suspense } from 'react';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// Loaded on demand, so that no other page loads the code for complaints.
const Complaint = lazyWithPreload(() => import('./complaint.js'));

export default function ComplaintScreen() {
  return (
    <Suspense>
      <Complaint />
    </Suspense>
  );
}
