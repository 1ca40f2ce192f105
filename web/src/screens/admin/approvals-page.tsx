import { Requests } from '../../staff/approvals/requests.js';
import { LimitsPanel } from './limits.js';
import { ActLog } from './act-log.js';

export function ApprovalsPage() {
  return (
    <>
      <Requests area="admin" />
      <LimitsPanel className="mt-6" />
      <ActLog className="mt-6" />
    </>
  );
}
