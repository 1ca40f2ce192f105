import './earnings.css';
import type { User } from '../../../../application/accounts/contract.js';
import { CreatorFrame } from '../../creators/creator-frame.js';
import { PageTitle } from '../../shell/page-frame.js';
import { EarningsPanel } from './earnings-panel.js';
import { RecentSales } from './recent-sales.js';
import { SalesOverview } from './sales-overview.js';
import { Statements } from './statements.js';

/** The sales and earnings of creators, suspended ones included. */
export default function EarningsScreen({ user }: { user: User }) {
  return (
    <CreatorFrame user={user} current="sales">
      <PageTitle />
      <div className="grid min-w-0 content-start gap-4 px-(--gutter) pt-6 pb-16">
        <header className="mb-1">
          <h1 className="display text-5xl">Sales</h1>
          <p className="mt-2 text-md text-muted">Track your sales and revenue from downloads</p>
        </header>
        <EarningsPanel userId={user.id} suspended={!user.isCreator} />
        <SalesOverview />
        <RecentSales />
        <Statements />
      </div>
    </CreatorFrame>
  );
}
