import { businessNow } from '../../clock.js';
import type { Approval, StaffAct } from '../../api/approvals.js';
import { countOf, formatMicroUsd } from '../../ui/format.js';
import { monthName } from '../dates.js';

/** The words for a request and its beneficiary. */
export interface Said {
  title: string;
  /** "to Ines Calderon". */
  whom: string;
  /** The money that moves, or credits if none does. */
  amount: string;
}

const gift = (credits: number) => (credits < 0 ? 'Take' : 'Give');

type Entry = Extract<Approval['work'], { kind: 'adjusting-entry' }>;

function clearedOf({ lines }: Entry): string {
  const { delta = 0, commodity = 'usd' } = lines[0] ?? {};
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: commodity });
  return money.format(Math.abs(delta) / 1_000_000);
}

const goalOf = ({ lines }: Entry): string => {
  const { account = '', about } = lines[1] ?? {};
  return about !== undefined && account.startsWith('suspense') ? `${about}, another item` : account;
};

export function wordsOf({ work, beneficiaryName }: Approval): Said {
  const name = beneficiaryName ?? '';
  switch (work.kind) {
    case 'adjustment':
      return {
        title: `${gift(work.credits)} ${countOf(Math.abs(work.credits), 'credit')}`,
        whom: `${work.credits < 0 ? 'from' : 'to'} ${name}`,
        amount: work.valueMicroUsd > 0 ? formatMicroUsd(work.valueMicroUsd) : 'goodwill',
      };
    case 'refund':
      return { title: 'Refund an invoice', whom: `to ${name}`, amount: formatMicroUsd(work.amountMicroUsd) };
    case 'write-off':
      return { title: 'Write off a debt', whom: `of ${name}`, amount: formatMicroUsd(work.amountMicroUsd) };
    case 'adjusting-entry':
      return {
        title: `Clear an item in ${work.lines[0]?.account ?? 'suspense'}`,
        whom: `to ${goalOf(work)}`,
        amount: clearedOf(work),
      };
    case 'limits':
      return { title: 'Change what one person may do alone', whom: '', amount: '' };
    case 'reopen-month':
      return { title: `Reopen ${monthName(work.month)}`, whom: 'in the books', amount: '' };
    case 'begin-books':
      return { title: 'Begin the books', whom: `with ${monthName(work.month)}`, amount: '' };
    case 'record-restore':
      return {
        title: 'Record a restored log',
        whom: `to event ${work.position}`,
        amount: countOf(work.heads.length, 'head'),
      };
    case 'release-sale':
      return { title: 'Release a sale', whom: `of ${name}`, amount: formatMicroUsd(work.shareMicroUsd) };
    case 'grant-role':
      return { title: `Grant the role ${work.role}`, whom: `to ${name}`, amount: '' };
    case 'revoke-role':
      return { title: `Take the role ${work.role}`, whom: `from ${name}`, amount: '' };
  }
}

/** The consequence of an approval, in sentences. */
export function consequenceOf({ work, beneficiaryName }: Approval): string {
  const name = beneficiaryName ?? 'They';
  switch (work.kind) {
    case 'adjustment':
      if (work.credits < 0) return 'Unspent credits are taken. Nothing is paid back.';
      if (work.valueMicroUsd === 0) return 'Booked as a promotion at $0.00: creators earn nothing by it.';
      return `Booked as goodwill worth ${formatMicroUsd(work.valueMicroUsd)}, which makes good ${work.makesGood}. Creators earn their share of it when it is spent, and we pay it.`;
    case 'refund': {
      const of = 'invoiceId' in work.of ? `invoice ${work.of.invoiceId}` : `lot ${work.of.lotId}`;
      return `What is unspent of ${of} by then goes back to the card, ${formatMicroUsd(work.amountMicroUsd)} at most, and its credits are taken.`;
    }
    case 'write-off':
      return `${name} owes this no more, and the books take it as a loss.`;
    case 'adjusting-entry':
      return `Posted ${work.month ? `at the end of ${monthName(work.month)}` : 'after approval'}: ${clearedOf(work)} of ${work.lines[0]?.about ?? ''} from ${work.lines[0]?.account ?? 'suspense'} to ${goalOf(work)}. The proof: ${work.evidence}`;
    case 'limits':
      return `One person may then give or take ${countOf(work.adjustmentCredits, 'credit')} worth ${formatMicroUsd(work.adjustmentMicroUsd)} and refund ${formatMicroUsd(work.refundsMicroUsd)} in 24 hours; debts up to ${formatMicroUsd(work.writeOffMicroUsd)} are written off without anybody.`;
    case 'reopen-month':
      return 'Adjusting entries can be posted into it until it is closed again. What it was closed with stays in the log.';
    case 'begin-books':
      return `What moved at Stripe before ${monthName(work.month)} and belongs to no sale of ours becomes the opening balance. Months are closed from ${monthName(work.month)} on.`;
    case 'record-restore':
      return `The events after ${work.position} are gone, and the books no longer count these signed heads as contradictions: ${work.heads.join(', ')}. Agree only if a backup was restored.`;
    case 'release-sale':
      return `${name} can withdraw it after its hold, though a credit of it was worth more than any plan asks. The sale: ${work.purchaseId}`;
    case 'grant-role':
      return work.role === 'admin'
        ? `${name} decides on creators, credits, refunds and roles from the next request on.`
        : `${name} reads the books, closes months and pays claims from the next request on.`;
    case 'revoke-role':
      return `The role is gone with the next request of ${name}, who gets a mail with the reason.`;
  }
}

export const KINDS: Record<StaffAct['kind'], string> = {
  adjustment: 'Credits',
  refund: 'Refunds',
  'write-off': 'Write-offs',
  'adjusting-entry': 'Entries in the books',
  'reopen-month': 'Months reopened',
  'begin-books': 'Beginnings of the books',
  'record-restore': 'Restored logs',
  'release-sale': 'Sales released',
  limits: 'Limits',
  'grant-role': 'Roles granted',
  'revoke-role': 'Roles taken',
  'break-glass': 'Emergencies',
  'end-sessions': 'Sign-outs',
  'reset-factors': 'Second factors reset',
  'close-month': 'Months closed',
  'retry-report': 'Reports read again',
  takedown: 'Takedowns',
  complaint: 'Complaints',
  copy: 'Suspected copies',
  creator: 'Creators',
  claim: 'Claims paid',
};

export const ACTION_WORDS = {
  asked: { label: 'Asked', tone: 'warn' },
  approved: { label: 'Approved', tone: 'ok' },
  declined: { label: 'Declined', tone: 'danger' },
  withdrew: { label: 'Withdrew', tone: 'neutral' },
  lapsed: { label: 'Lapsed', tone: 'neutral' },
  failed: { label: 'Not done', tone: 'danger' },
  alone: { label: 'Alone', tone: 'neutral' },
} as const satisfies Record<StaffAct['did'], object>;

const ON_CREATORS: Record<string, string> = {
  approved: 'Approve',
  declined: 'Decline',
  suspended: 'Suspend',
  reinstated: 'Reinstate',
};

const ON_COPIES: Record<string, string> = {
  allowed: 'Allow',
  refused: 'Refuse',
  'taken down': 'Take down',
  swapped: 'Swap the sides of',
};

/** An act in one sentence, such as "Give 600 credits to Ines Calderon". */
export function sentenceOf({ kind, subject, beneficiaryName, credits, microUsd }: StaffAct): string {
  const name = beneficiaryName ?? 'a user';
  const money = microUsd === null ? '' : ` ${formatMicroUsd(microUsd)}`;
  switch (kind) {
    case 'adjustment': {
      const worth = microUsd ? ` worth${money}` : '';
      const many = credits ?? 0;
      return `${gift(many)} ${countOf(Math.abs(many), 'credit')}${worth} ${many < 0 ? 'from' : 'to'} ${name}`;
    }
    case 'refund':
      return `Refund${money} to ${name}`;
    case 'write-off':
      return `Write off${money} of ${name}`;
    case 'adjusting-entry':
      return `Clear${money} of ${subject}`;
    case 'limits':
      return `Let one person do alone: ${subject}`;
    case 'reopen-month':
      return `Reopen ${monthName(subject ?? '')}`;
    case 'begin-books':
      return `Begin the books with ${monthName(subject ?? '')}`;
    case 'record-restore':
      return `Record that the log was restored to event ${subject}`;
    case 'release-sale':
      return `Release${money} of a sale of ${name}`;
    case 'grant-role':
      return `Grant the role ${subject} to ${name}`;
    case 'break-glass':
      return `Grant the role ${subject} to ${name} without a second person`;
    case 'revoke-role':
      return `Take the role ${subject} from ${name}`;
    case 'end-sessions':
      return `Sign ${name} out everywhere`;
    case 'reset-factors':
      return `Reset the second factor of ${name}`;
    case 'close-month':
      return `Close ${monthName(subject ?? '')}`;
    case 'retry-report':
      return `Read the report ${subject} of the payment provider again`;
    case 'takedown':
      return `Take down ${subject}`;
    case 'copy':
      return `${ON_COPIES[subject ?? ''] ?? 'Decide on'} a suspected copy of ${name}`;
    case 'creator':
      return `${ON_CREATORS[subject ?? ''] ?? 'Decide on'} ${name} as a creator`;
    case 'claim':
      return `Pay a claim to ${name}`;
    case 'complaint':
      return `Answer a complaint: ${subject}`;
  }
}

const MINUTE_MS = 60_000;

/** "18 min", "3 h", "2 d". */
export function spanOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** "just now", or else a span. */
export function ageOf(iso: string, nowMs = businessNow()): string {
  const ms = nowMs - Date.parse(iso);
  return ms < MINUTE_MS ? 'just now' : spanOf(ms);
}

/** "22 Nov 14:22", UTC. */
export const whenUtc = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  })
    .format(new Date(iso))
    .replace(',', '');
