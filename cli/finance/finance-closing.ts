import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { StaffQueries } from '../../application/accounts/staff/staff-queries.js';
import { AdjustingEntryBody, NoteBody } from '../../application/ledger/closing/closing-contract.js';
import { ClosePeriod, ClosingChecklist } from '../../application/ledger/closing/close-period.js';
import { ExplainItem, RequestAdjustingEntry } from '../../application/ledger/closing/adjusting-entries.js';
import { RequestBeginning, RequestReopening } from '../../application/ledger/closing/begin-and-reopen.js';
import { Month } from '../../application/ledger/contract.js';
import { OpenBookQueries } from '../../application/ledger/queries.js';
import { ReasonBody } from '../../application/shared/contract.js';
import { CommandRefused } from '../refused.js';
import type { Print, Tools } from '../tools.js';

export interface Deciding {
  /** What the command is about: a month, an item, a file to compare, an account, a creator or a user. */
  subject?: string | undefined;
  /** The mail address of the finance user. */
  by?: string;
  reason?: string;
  proof?: string;
  as?: string;
  other?: string;
  amount?: string;
  month?: string;
  format?: string;
}

type Decision = 'close' | 'checklist' | 'reopen' | 'begin-books' | 'adjust' | 'note';

/**
 * Records a decision about the books, or requests a second person's approval of it. `checklist` only
 * prints. @returns whether it succeeded @throws CommandRefused unless `by` is in finance
 */
export async function decideOnBooks(
  tools: Tools,
  command: Decision,
  given: Deciding,
  print: Print,
): Promise<boolean> {
  switch (command) {
    case 'checklist':
      return checklist(tools, Month.parse(given.subject), given.format, print);
    case 'close':
      return close(tools, Month.parse(given.subject), await personOf(tools, given), print);
    case 'reopen':
    case 'begin-books': {
      const month = Month.parse(given.subject);
      const { reason } = ReasonBody.parse({ reason: given.reason });
      const asked = { approvalId: randomUUID(), month, reason, by: await personOf(tools, given) };
      const commands = tools.app.get(CommandBus);
      return command === 'reopen'
        ? printOutcome(await commands.execute(new RequestReopening(asked)), `${month} is reopened`, print)
        : printOutcome(
            await commands.execute(new RequestBeginning(asked)),
            `The books begin with ${month}`,
            print,
          );
    }
    case 'adjust':
      return adjust(tools, given, print);
    case 'note': {
      const item = await itemOf(tools, given.subject);
      const note = NoteBody.parse({ ...item, note: given.reason });
      const by = await personOf(tools, given);
      await tools.app.get(CommandBus).execute(new ExplainItem({ ...note, by }));
      print(`${note.about} is explained.`);
      return true;
    }
  }
}

async function personOf({ app }: Tools, { by }: Deciding): Promise<string> {
  if (by === undefined) throw new CommandRefused('--by <address> is required: a person of finance');
  const members = await app.get(StaffQueries).members();
  const person = members.find(
    ({ email, role }) => role === 'finance' && email.toLowerCase() === by.toLowerCase(),
  );
  if (!person) throw new CommandRefused(`${by} does not hold the role finance`);
  return person.userId;
}

async function itemOf(
  { app, clock }: Tools,
  about: string | undefined,
): Promise<{ account: string; about: string }> {
  const { items } = await app.get(OpenBookQueries).clearable(clock.now());
  const found = items.find((item) => item.about === about);
  if (!found)
    throw new CommandRefused(`nothing about ${about} can be cleared; see offcut finance open-items`);
  return { account: found.account, about: found.about };
}

async function checklist(
  { app }: Tools,
  month: string,
  format: string | undefined,
  print: Print,
): Promise<boolean> {
  const { items } = await app.get(ClosingChecklist).of(month);
  if (format === 'json') print(JSON.stringify({ items }, null, 2));
  else for (const { done, text } of items) print(`${done ? 'done  ' : 'OPEN  '}  ${text}`);
  return items.every(({ done }) => done);
}

async function close({ app }: Tools, month: string, by: string, print: Print): Promise<boolean> {
  const outcome = await app.get(CommandBus).execute(new ClosePeriod(month, by));
  if (!outcome.accepted) printRefusal(outcome.rejection, print, `${month} is not closed: `);
  else print(`${month} is closed at event ${outcome.period.lastPosition}, ${outcome.period.hash}`);
  return outcome.accepted;
}

async function adjust(tools: Tools, given: Deciding, print: Print): Promise<boolean> {
  const item = await itemOf(tools, given.subject);
  const { amount, other, month } = given;
  const body = AdjustingEntryBody.parse({
    ...item,
    to: given.as,
    ...(other !== undefined && { toAbout: other }),
    ...(amount !== undefined && { amountMicro: Math.round(Number(amount) * 100) * 10_000 }),
    ...(month !== undefined && { month }),
    reason: given.reason,
    evidence: given.proof,
  });
  const requested = { ...body, entryId: randomUUID(), by: await personOf(tools, given) };
  const asked = await tools.app.get(CommandBus).execute(new RequestAdjustingEntry(requested));
  return printOutcome(asked, 'The entry is posted', print);
}

function printOutcome(
  asked: { accepted: true } | { accepted: false; rejection: { code: string } },
  what: string,
  print: Print,
): boolean {
  if (asked.accepted) print(`${what} once a second person agrees, at /finance/approvals.`);
  else printRefusal(asked.rejection, print);
  return asked.accepted;
}

function printRefusal({ code, ...details }: { code: string }, print: Print, before = ''): void {
  print(`${before}${code}`);
  for (const [name, value] of Object.entries(details)) print(`${name}: ${JSON.stringify(value)}`);
}
