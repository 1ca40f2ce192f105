import './earnings.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { creatorQuery } from '../../api/account.js';
import { CreatorFrame } from '../../creators/creator-frame.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { EarningsPanel } from './earnings-panel.js';
import { RecentSales } from './recent-sales.js';
import { SalesOverview } from './sales-overview.js';
import { Statements } from './statements.js';

/** A creator's sales and earnings; suspended creators may read them too. Other people are redirected home. */
export default function EarningsScreen() {
  const { status, user } = useSession();
  const asked = useQuery({ ...creatorQuery, enabled: user !== null && !user.isCreator });
  if (status === 'loading' || asked.isLoading) {
    return (
      <p role="status" className="gutter py-20 text-center text-muted">
        <PageTitle />
        Loading...
      </p>
    );
  }
  const suspended = asked.data?.status === 'suspended';
  if (!user || !(user.isCreator || suspended)) return <Navigate to={paths.home} replace />;
  return (
    <CreatorFrame user={user} current="sales">
      <PageTitle />
      <div className="grid min-w-0 content-start gap-4 px-(--gutter) pt-6 pb-16">
        <header className="mb-1">
          <h1 className="display text-5xl">Sales</h1>
          <p className="mt-2 text-md text-muted">Track your sales and revenue from downloads</p>
        </header>
        <EarningsPanel userId={user.id} suspended={suspended} />
        <SalesOverview />
        <RecentSales />
        <Statements />
      </div>
    </CreatorFrame>
  );
}
