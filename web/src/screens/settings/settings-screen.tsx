import { Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { User } from '../../../../application/accounts/contract.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Tabs } from '../../ui/tabs.js';
import { useLeaveQuestion } from '../../ui/forms/unsaved.js';
import { TABS, tabOf } from './first-queries.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

// Each tab loads its own code on demand, because forms and their validation are large.
const AccountTab = lazyWithPreload(() => import('./account-tab.js'));
const CreditsTab = lazyWithPreload(() => import('./credits-tab.js'));
const SecurityTab = lazyWithPreload(() => import('./security-tab.js'));

export default function SettingsScreen({ user }: { user: User }) {
  const [parameters, setParameters] = useSearchParams();
  const tab = tabOf(parameters);
  useLeaveQuestion();
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
        <Suspense fallback={<div className="min-h-[60dvh]" />}>
          {tab === 'account' && <AccountTab user={user} />}
          {tab === 'credits' && <CreditsTab />}
          {tab === 'security' && <SecurityTab user={user} />}
        </Suspense>
      </Tabs>
    </div>
  );
}
