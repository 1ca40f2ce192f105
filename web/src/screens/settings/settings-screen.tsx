import { Suspense, lazy } from 'react';
import { useSearchParams } from 'react-router-dom';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { ButtonLink } from '../../ui/button.js';
import { EmptyState } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { useLeaveQuestion } from '../../ui/forms/unsaved.js';
import { TABS, tabOf } from './first-queries.js';

// Each tab with what only it needs: forms and their validation are the heavier half.
const AccountTab = lazy(() => import('./account-tab.js'));
const CreditsTab = lazy(() => import('./credits-tab.js'));
const SecurityTab = lazy(() => import('./security-tab.js'));

/** Account, subscription and credits, security. */
export default function SettingsScreen() {
  const session = useSession();
  const [parameters, setParameters] = useSearchParams();
  const tab = tabOf(parameters);
  useLeaveQuestion();
  if (session.status === 'signed-out') {
    return (
      <div className="gutter py-10">
        <PageTitle />
        <h1 className="sr-only">Settings</h1>
        <EmptyState
          title="Please Sign In"
          action={
            <ButtonLink to={paths.auth(`/settings?${parameters}`)} tone="primary">
              Sign In
            </ButtonLink>
          }
        >
          Your account, plan and credits are here.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="gutter pt-9 pb-20">
      <PageTitle />
      <h1 className="display mb-5 text-8xl">Settings</h1>
      <Tabs
        tabs={TABS}
        value={tab}
        onChange={(next) => setParameters({ tab: next }, { replace: true })}
        label="Settings"
      >
        {session.status === 'signed-in' && (
          <Suspense fallback={<div className="min-h-[60dvh]" />}>
            {tab === 'account' && <AccountTab user={session.user} />}
            {tab === 'credits' && <CreditsTab />}
            {tab === 'security' && <SecurityTab email={session.user.email} />}
          </Suspense>
        )}
      </Tabs>
    </div>
  );
}
