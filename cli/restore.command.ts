import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { AccountStore } from '../application/accounts/account-store.js';
import { StaffQueries } from '../application/accounts/staff/staff-queries.js';
import { RequestApproval } from '../application/approvals/decide-on-request.js';
import { ApprovalQueries } from '../application/approvals/queries.js';
import { SignedHeads } from '../application/operations/signed-heads.js';
import { CommandRefused } from './refused.js';
import type { Print, Tools } from './tools.js';

/**
 * Asks a second person to record that a backup replaced the log.
 * @param request.position the last event of the backup
 * @param request.by the mail address of the member of staff who asks. Another member approves.
 * @throws CommandRefused
 */
export async function requestRestore(
  { app }: Tools,
  { position, reason, by }: { position: number; reason: string; by: string },
  print: Print,
): Promise<void> {
  const account = await app.get(AccountStore).findByEmail(by);
  const asker = (await app.get(StaffQueries).members()).find(({ userId }) => userId === account?.userId);
  if (!asker) throw new CommandRefused(`${by} has no role; an administrator or finance asks for this`);
  const { faults } = await app.get(SignedHeads).verify();
  const heads = faults.filter((fault) => (fault.position ?? 0) > position).map(({ hour }) => hour);
  if (heads.length === 0)
    throw new CommandRefused(
      `no signed head after event ${position} contradicts the log, so there is nothing to record`,
    );
  const waiting = await app.get(ApprovalQueries).list({ state: 'waiting', limit: 100 });
  if (waiting.items.some(({ work }) => work.kind === 'record-restore' && work.position === position))
    throw new CommandRefused(`the restore to event ${position} already waits for a second person`);
  const work = { kind: 'record-restore', position, heads } as const;
  const requested = { approvalId: randomUUID(), work, by: asker.userId, reason };
  const result = await app.get(CommandBus).execute(new RequestApproval(requested));
  if (!result.accepted) throw new CommandRefused(`not requested: ${result.rejection.code}`);
  print(`${heads.length} signed heads after event ${position} contradict the log: ${heads.join(', ')}`);
  const others = faults.length - heads.length;
  if (others > 0) print(`${others} other heads are wrong as well; this record does not excuse them.`);
  print(
    'They are excused once another administrator or finance agrees, at /admin/approvals or /finance/approvals.',
  );
}

export const restoreAsText = (restore: { at: string; position: number; heads: readonly string[] }): string =>
  `restored to event ${restore.position} at ${restore.at}, which excuses the heads of ${restore.heads.join(', ')}`;
