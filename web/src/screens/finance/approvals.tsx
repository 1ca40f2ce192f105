import { Requests } from '../../staff/approvals/requests.js';
import { PageHead } from './parts/page.js';

/** What needs a second person, of the kinds that finance decides on. */
export function ApprovalsPage() {
  return (
    <>
      <PageHead title="Approvals" />
      <Requests house="finance" />
    </>
  );
}
