import { RequestAdjustment } from '../../application/administration/request-adjustment.js';
import { RequestApproval } from '../../application/approvals/request-approval.js';
import type { DemoProduct } from './demo.js';
import type { DemoPeople } from './people.js';

/** Makes adjustments within an administrator's limits, and requests that wait for approval. Idempotent. */
export async function askForConsent(demo: DemoProduct, people: DemoPeople): Promise<void> {
  const [admin, second] = [people.staff.get('admin') as string, people.staff.get('admin2') as string];
  const listener = (name: string) =>
    people.listeners.find(({ email }) => email.startsWith(`${name}@`))?.userId as string;
  const give = (approvalId: string, to: string, credits: number, reason: string) =>
    demo.commands.execute(
      new RequestAdjustment({
        approvalId,
        userId: listener(to),
        credits,
        valueMicroUsd: 0,
        reason,
        by: second,
      }),
    );
  await give('demo-gift-1', 'aiko', 120, 'A download failed for a day');
  await give('demo-gift-2', 'lena', 200, 'Second prize of the remix contest');
  await give('demo-gift-3', 'cleo', 600, 'Her account was closed by our mistake for nine days. Ticket 8812');
  const ask = (approvalId: string, by: string, to: string, role: 'finance' | 'admin', reason: string) => {
    const work = { kind: 'grant-role', userId: listener(to), role } as const;
    const requested = { approvalId, work, by, beneficiary: work.userId, reason };
    return demo.commands.execute(new RequestApproval(requested));
  };
  await ask('demo-role-1', second, 'dev', 'finance', 'Closes the months with us from now on');
  await ask('demo-role-2', admin, 'greta', 'admin', 'Answers reports at night');
}
