import { Requests } from '../../staff/approvals/requests.js';
import { LimitsPanel } from './limits.js';
import { ActLog } from './act-log.js';

/** Requests that need a second person, the limits, and the log of staff acts. */
export function ApprovalsPage() {
  return (
    <>
      <Requests house="admin" />
      <LimitsPanel className="mt-6" />
      <ActLog className="mt-6" />
    </>
  );
}
