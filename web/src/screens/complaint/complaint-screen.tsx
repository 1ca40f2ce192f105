import { lazy, Suspense } from 'react';

// What it needs is named here, not in what every page loads.
const Complaint = lazy(() => import('./complaint.js'));

export default function ComplaintScreen() {
  return (
    <Suspense>
      <Complaint />
    </Suspense>
  );
}
