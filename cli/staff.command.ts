import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { AccountStore } from '../application/accounts/account-store.js';
import {
  BreakGlass,
  GrantStaffRole,
  OPERATOR,
  RevokeStaffRole,
} from '../application/accounts/staff/staff-roles.js';
import { ResetFactors } from '../application/accounts/secure-account.js';
import { StaffQueries } from '../application/accounts/staff/staff-queries.js';
import { RequestApproval } from '../application/approvals/decide-on-request.js';
import type { StaffAct, StaffActsExportQuery } from '../application/administration/contract.js';
import { StaffActQueries, staffActsCsv } from '../adapters/administration/staff-act-queries.js';
import { ApprovalQueries } from '../application/approvals/queries.js';
import type { StaffRole } from '../domain/accounts/staff.js';
import { decimalDollars } from '../domain/shared/micro-usd.js';
import { CommandRefused } from './refused.js';
import type { Print, Tools } from './tools.js';

export interface StaffRequest {
  action: 'grant' | 'revoke';
  email: string;
  role: StaffRole;
  reason: string;
  /** Why no administrator can approve a grant. */
  breakGlass?: string;
}

/**
 * Grants or revokes a role. Grants need approval, except while there is no administrator, and with
 * `breakGlass`. @throws CommandRefused
 */
export async function changeStaff(tools: Tools, request: StaffRequest, print: Print): Promise<void> {
  const { app, config } = tools;
  const { action, email, role, reason, breakGlass } = request;
  const account = await app.get(AccountStore).findByEmail(email);
  if (!account) throw new CommandRefused(`no account has the address ${email}; sign up first`);
  const { userId } = account;
  // Without this check, a person could sign up with another person's address and become staff.
  if (action === 'grant' && config.smtpUrl && !account.emailVerifiedAt)
    throw new CommandRefused(`${email} is not confirmed yet; follow the link in the mail first`);
  const commands = app.get(CommandBus);
  if (action === 'revoke') {
    const revoked = await commands.execute(new RevokeStaffRole(userId, role, OPERATOR, { reason }));
    if (!revoked.accepted)
      throw new CommandRefused(
        `${account.email} is the only administrator; appoint another one first: ${withoutConsent('<address>', role)}`,
      );
    print(
      `${account.email} ${revoked.changed ? 'no longer has the role' : 'did not have the role'} ${role}.`,
    );
    return;
  }
  const members = await app.get(StaffQueries).members();
  if (members.some((member) => member.userId === userId && member.role === role))
    print(`${account.email} had the role already: ${role}.`);
  else if (breakGlass !== undefined) {
    await commands.execute(new BreakGlass(userId, role, OPERATOR, breakGlass));
    print(`${account.email} has the role ${role} without an approval. Finance is notified.`);
  } else if (members.some((member) => member.role === 'admin')) {
    await ask(tools, { userId, role, reason });
    print(
      `${account.email} gets the role ${role} once an administrator agrees, at /admin/approvals. If none can: ${withoutConsent(account.email, role)}`,
    );
  } else {
    await commands.execute(new GrantStaffRole(userId, role, OPERATOR));
    print(`${account.email} has the role ${role}.`);
  }
}

const withoutConsent = (email: string, role: StaffRole): string =>
  `offcut staff grant ${email} ${role} --break-glass "<reason>"`;

/**
 * Removes a member's second factors. Roles that need a second factor have no effect until the member sets up a new one.
 * @throws CommandRefused
 */
export async function resetFactors(
  { app }: Tools,
  { email, reason }: { email: string; reason: string },
  print: Print,
): Promise<void> {
  const account = await app.get(AccountStore).findByEmail(email);
  if (!account) throw new CommandRefused(`no account has the address ${email}`);
  await app.get(CommandBus).execute(new ResetFactors(account.userId, OPERATOR, reason));
  print(`${account.email} is signed out and has no second factor. A mail notifies them.`);
}

/** Requests an approval, unless the same request is already waiting. */
async function ask(
  { app }: Tools,
  { userId, role, reason }: { userId: string; role: StaffRole; reason: string },
): Promise<void> {
  const { items } = await app.get(ApprovalQueries).list({ state: 'waiting', limit: 100 });
  const waits = items.some(
    ({ work }) => work.kind === 'grant-role' && work.userId === userId && work.role === role,
  );
  if (waits) return;
  const work = { kind: 'grant-role', userId, role } as const;
  const requested = { approvalId: randomUUID(), work, by: OPERATOR, beneficiary: userId, reason };
  await app.get(CommandBus).execute(new RequestApproval(requested));
}

export async function printStaff({ app }: Tools, { json }: { json: boolean }, print: Print): Promise<void> {
  const members = await app.get(StaffQueries).members();
  if (json) return print(JSON.stringify({ items: members }, null, 2));
  if (members.length === 0)
    print('No staff yet. Run `offcut staff grant <address> admin` to appoint the first administrator.');
  for (const { email, displayName, role, grantedBy, grantedAt, hasSecondFactor } of members) {
    const since = `since ${grantedAt.toISOString()} by ${grantedBy}`;
    print(
      `${role.padEnd(8)} ${email}  ${displayName}  ${since}${hasSecondFactor ? '' : '  no second factor'}`,
    );
  }
}

const MOST_PRINTED = 10_000;

export async function printAudit(
  { app }: Tools,
  { format, json, ...chosen }: StaffActsExportQuery & { format: 'table' | 'csv' | 'json'; json: boolean },
  print: Print,
): Promise<void> {
  const acts = await app.get(StaffActQueries).newest(chosen, MOST_PRINTED);
  if (json || format === 'json') print(JSON.stringify({ items: acts }));
  else if (format === 'csv') print(staffActsCsv(acts).trimEnd());
  else for (const act of acts) print(lineOf(act));
}

function lineOf(act: StaffAct): string {
  const { at, byName, did, kind, subject, beneficiaryName, credits, microUsd, note } = act;
  const amounts = [
    credits === null ? '' : `${credits} credits`,
    microUsd === null ? '' : `${decimalDollars(microUsd).slice(0, -4)} USD`,
  ];
  const about = [kind, subject, ...amounts, beneficiaryName && `for ${beneficiaryName}`].filter(Boolean);
  return `${at.slice(0, 16)}  ${byName.padEnd(24)} ${did.padEnd(9)} ${about.join(' ')}${note ? `  "${note}"` : ''}`;
}
