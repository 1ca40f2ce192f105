import { Requests } from '../../staff/approvals/requests.js';
import { LimitsPanel } from './limits.js';
import { ActLog } from './act-log.js';

/** What needs a second person, and what everybody did. */
export function ApprovalsPage() {
  return (
    <>
      <Requests house="admin" />
      <LimitsPanel className="mt-6" />
      <ActLog className="mt-6" />
    </>
  );
}
