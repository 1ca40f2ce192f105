import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { creatorQuery } from '../api/account.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { PageTitle } from '../shell/page-frame.js';
import { ButtonLink } from '../ui/button.js';
import { EmptyState } from '../ui/states.js';
import { ApplyButton } from './apply-button.js';

/** Lets only people through who are signed in. */
export function SignInGate({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const { pathname, search } = useLocation();
  if (status === 'signed-in') return children;
  return (
    <div className="gutter py-10">
      <PageTitle>Creator Dashboard</PageTitle>
      <h1 className="sr-only">Creator Dashboard</h1>
      {status === 'loading' ? (
        <p role="status" className="py-20 text-center text-muted">
          Checking access...
        </p>
      ) : (
        <EmptyState
          title="Sign In Required"
          action={
            <ButtonLink to={paths.auth(pathname + search)} tone="primary">
              Sign In
            </ButtonLink>
          }
        >
          Sign in to reach the creator area.
        </EmptyState>
      )}
    </div>
  );
}

const OBSTACLES = {
  none: 'Creator permissions are needed to upload audio and to publish. Apply here, or contact support.',
  applied: 'Your application is being looked at. For questions, contact support.',
  declined: 'Your application was declined. You may apply again, or contact support.',
  suspended: 'Your creator access is suspended. Please contact support.',
} as const;

/** Lets approved creators through; tells others how to become one. */
export function CreatorGate({ children }: { children: ReactNode }) {
  const { status } = useSession();
  const { data, error } = useQuery({ ...creatorQuery, enabled: status === 'signed-in' });
  if (status !== 'signed-in') return <SignInGate>{children}</SignInGate>;
  if (!data) {
    return (
      <p role="status" className="py-8 text-center text-muted">
        {error ? 'Your access could not be checked. Please try again later.' : 'Checking access...'}
      </p>
    );
  }
  if (data.status === 'approved') return children;
  const mayApply = data.status === 'none' || data.status === 'declined';
  return (
    <section className="panel flex flex-wrap items-center gap-x-5 gap-y-4 p-5" aria-labelledby="gate-title">
      <Lock size={20} strokeWidth={1.75} className="text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-[1_1_320px]">
        <h2 id="gate-title" className="text-lg font-semibold">
          Creator Access Required
        </h2>
        <p className="mt-0.5 max-w-[64ch] text-muted">{OBSTACLES[data.status]}</p>
        {data.reason && (
          <p className="mt-2 max-w-[64ch] border-l-3 border-danger pl-3">
            <span className="text-muted">Reason:</span> {data.reason}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={paths.discover}>Back to Discover</ButtonLink>
        {mayApply && <ApplyButton />}
      </div>
    </section>
  );
}
