import { Requests } from '../../staff/approvals/requests.js';
import { PageHead } from '../../staff/page-head.js';

/** Requests that finance may approve as a second person. */
export function ApprovalsPage() {
  return (
    <>
      <PageHead title="Approvals" />
      <Requests area="finance" />
    </>
  );
}
