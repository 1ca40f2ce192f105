import { CommandBus } from '@nestjs/cqrs';
import { AccountStore } from '../application/accounts/account-store.js';
import { GrantStaffRole, OPERATOR, RevokeStaffRole } from '../application/accounts/commands.js';
import type { StaffRole } from '../domain/accounts/staff.js';
import { listStaff } from '../adapters/accounts/postgres-staff-roles.js';
import { ImportRefused } from './refused.js';
import type { Tools } from './tools.js';

export type StaffRequest = { action: 'grant' | 'revoke'; email: string; role: StaffRole };

/** Grants a role to a person, or takes it; the event names the operator as its actor. @throws ImportRefused */
export async function changeStaff(
  { app, config }: Tools,
  { action, email, role }: StaffRequest,
  print: (line: string) => void,
): Promise<void> {
  const account = await app.get(AccountStore).findByEmail(email);
  if (!account) throw new ImportRefused(`nobody has an account with the address ${email}; sign up first`);
  // A person who signed up with another one's address must not become staff by it.
  if (action === 'grant' && config.smtpUrl && !account.emailVerifiedAt)
    throw new ImportRefused(`${email} is not confirmed yet; follow the link in the mail first`);
  const Change = { grant: GrantStaffRole, revoke: RevokeStaffRole }[action];
  const changed = await app.get(CommandBus).execute(new Change(account.userId, role, OPERATOR));
  const outcome = {
    grant: changed ? 'has the role' : 'had the role already:',
    revoke: changed ? 'no longer has the role' : 'did not have the role',
  }[action];
  print(`${account.email} ${outcome} ${role}.`);
}

/** Prints a line for each role that somebody has. */
export async function printStaff({ database }: Tools, print: (line: string) => void): Promise<void> {
  const members = await listStaff(database);
  if (members.length === 0) print('Nobody has a role. `offcut staff grant <address> admin` gives the first.');
  for (const { email, displayName, role, grantedBy, grantedAt } of members)
    print(`${role.padEnd(8)} ${email}  ${displayName}  since ${grantedAt.toISOString()} by ${grantedBy}`);
}
