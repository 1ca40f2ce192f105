import type { Approval, StaffAct } from '../../api/approvals.js';
import { countOf, formatDay, formatMicroUsd } from '../../ui/format.js';
import { monthName } from '../dates.js';

interface Words {
  title: string;
  /** "to Ines Calderon". */
  whom?: string;
  /** The money that moves. If no money moves, a short text such as "goodwill", or a count. */
  amount?: string;
  /** The consequence of an approval, in sentences. */
  consequence: string;
  approve: string;
}

type Kind = Approval['work']['kind'];
type Work<K extends Kind = Kind> = { [Each in K]: Approval['work'] & { kind: Each } }[K];
type Entry = Work<'adjusting-entry'>;

const gift = (credits: number) => (credits < 0 ? 'Take' : 'Give');

function clearedOf({ lines }: Entry): string {
  const { delta = 0, commodity = 'usd' } = lines[0] ?? {};
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: commodity });
  return money.format(Math.abs(delta) / 1_000_000);
}

const goalOf = ({ lines }: Entry): string => {
  const { account = '', about } = lines[1] ?? {};
  return about !== undefined && account.startsWith('suspense') ? `${about}, another item` : account;
};

const WORDS: { [K in Kind]: (work: Work<K>, name: string, they: string) => Words } = {
  adjustment: ({ credits, valueMicroUsd, makesGood }, name) => {
    const worth = formatMicroUsd(valueMicroUsd);
    const count = countOf(Math.abs(credits), 'credit');
    return {
      title: `${gift(credits)} ${count}`,
      whom: `${credits < 0 ? 'from' : 'to'} ${name}`,
      amount: valueMicroUsd > 0 ? worth : 'goodwill',
      consequence:
        credits < 0
          ? 'Unspent credits are taken. Nothing is paid back.'
          : valueMicroUsd === 0
            ? 'Booked as a promotion at $0.00: creators earn nothing by it.'
            : `Booked as goodwill worth ${worth}, which makes good ${makesGood}. Creators earn their share of it when it is spent, and we pay it.`,
      approve: `Approve ${count}`,
    };
  },
  refund: ({ of, amountMicroUsd }, name) => {
    const amount = formatMicroUsd(amountMicroUsd);
    const paid = 'invoiceId' in of ? `invoice ${of.invoiceId}` : `lot ${of.lotId}`;
    return {
      title: 'Refund an invoice',
      whom: `to ${name}`,
      amount,
      consequence: `What is unspent of ${paid} by then goes back to the card, ${amount} at most, and its credits are taken.`,
      approve: `Approve ${amount}`,
    };
  },
  'write-off': ({ amountMicroUsd }, name, they) => ({
    title: 'Write off a debt',
    whom: `of ${name}`,
    amount: formatMicroUsd(amountMicroUsd),
    consequence: `${they} owes this no more, and the books take it as a loss.`,
    approve: `Approve ${formatMicroUsd(amountMicroUsd)}`,
  }),
  'adjusting-entry': (work) => {
    const { account = 'suspense', about = '' } = work.lines[0] ?? {};
    const [amount, goal] = [clearedOf(work), goalOf(work)];
    const when = work.month ? `at the end of ${monthName(work.month)}` : 'after approval';
    return {
      title: `Clear an item in ${account}`,
      whom: `to ${goal}`,
      amount,
      consequence: `Posted ${when}: ${amount} of ${about} from ${account} to ${goal}. The proof: ${work.evidence}`,
      approve: 'Approve the entry',
    };
  },
  limits: ({ adjustmentCredits, adjustmentMicroUsd, refundsMicroUsd, writeOffMicroUsd }) => ({
    title: 'Change what one person may do alone',
    consequence: `One person may then give or take ${countOf(adjustmentCredits, 'credit')} worth ${formatMicroUsd(adjustmentMicroUsd)} and refund ${formatMicroUsd(refundsMicroUsd)} in 24 hours; debts up to ${formatMicroUsd(writeOffMicroUsd)} are written off without approval.`,
    approve: 'Approve these limits',
  }),
  'reopen-month': ({ month }) => ({
    title: `Reopen ${monthName(month)}`,
    whom: 'in the books',
    consequence:
      'Adjusting entries can be posted into it until it is closed again. What it was closed with stays in the log.',
    approve: `Approve reopening ${month}`,
  }),
  'begin-books': ({ month }) => ({
    title: 'Begin the books',
    whom: `with ${monthName(month)}`,
    consequence: `What moved at Stripe before ${monthName(month)} and belongs to no sale of ours becomes the opening balance. Months are closed from ${monthName(month)} on.`,
    approve: `Approve beginning with ${month}`,
  }),
  'record-restore': ({ position, heads }) => ({
    title: 'Record a restored log',
    whom: `to event ${position}`,
    amount: countOf(heads.length, 'head'),
    consequence: `The events after ${position} are gone, and the books no longer count these signed heads as contradictions: ${heads.join(', ')}. Agree only if a backup was restored.`,
    approve: 'Approve the record',
  }),
  'release-sale': ({ purchaseId, shareMicroUsd }, name, they) => ({
    title: 'Release a sale',
    whom: `of ${name}`,
    amount: formatMicroUsd(shareMicroUsd),
    consequence: `${they} can withdraw it after its hold, though a credit of it was worth more than any product asks. The sale: ${purchaseId}`,
    approve: `Release ${formatMicroUsd(shareMicroUsd)}`,
  }),
  'record-purchase': ({ certificateId, issuedAt }, name, they) => ({
    title: 'Record a lost purchase again',
    whom: `of ${name}`,
    consequence: `A restore lost this purchase of ${formatDay(issuedAt)}. ${they} pays its price again with the credits that came back, and the creator gets the share. The evidence is the signed certificate ${certificateId}.`,
    approve: 'Record the purchase',
  }),
  'grant-role': ({ role }, name, they) => ({
    title: `Grant the role ${role}`,
    whom: `to ${name}`,
    consequence:
      role === 'admin'
        ? `${they} decides on creators, credits, refunds and roles from the next request on.`
        : `${they} reads the books, closes months and pays claims from the next request on.`,
    approve: `Approve the role ${role}`,
  }),
  'revoke-role': ({ role }, name, they) => ({
    title: `Take the role ${role}`,
    whom: `from ${name}`,
    consequence: `The role is gone with the next request of ${they}, who gets a mail with the reason.`,
    approve: `Take the role ${role}`,
  }),
};

const say = <K extends Kind>(work: Work<K>, name: string, they: string): Words =>
  WORDS[work.kind](work, name, they);

export const wordsOf = ({ work, beneficiaryName }: Approval): Words =>
  say(work, beneficiaryName ?? '', beneficiaryName ?? 'They');

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

interface ActFacts {
  name: string;
  /** " $5.00", with a leading space; empty if no money moves. */
  money: string;
  /** " worth $5.00", with a leading space; empty if the act is worth no money. */
  worth: string;
  subject: string;
  credits: number;
}

/** Every kind of staff act: its name, and the act in one sentence such as "Give 600 credits to Ines Calderon". */
export const ACTS: Record<StaffAct['kind'], { label: string; say: (act: ActFacts) => string }> = {
  adjustment: {
    label: 'Credits',
    say: ({ name, worth, credits }) =>
      `${gift(credits)} ${countOf(Math.abs(credits), 'credit')}${worth} ${credits < 0 ? 'from' : 'to'} ${name}`,
  },
  refund: { label: 'Refunds', say: ({ name, money }) => `Refund${money} to ${name}` },
  'write-off': { label: 'Write-offs', say: ({ name, money }) => `Write off${money} of ${name}` },
  'adjusting-entry': {
    label: 'Entries in the books',
    say: ({ money, subject }) => `Clear${money} of ${subject}`,
  },
  'reopen-month': { label: 'Months reopened', say: ({ subject }) => `Reopen ${monthName(subject)}` },
  'begin-books': {
    label: 'Beginnings of the books',
    say: ({ subject }) => `Begin the books with ${monthName(subject)}`,
  },
  'record-restore': {
    label: 'Restored logs',
    say: ({ subject }) => `Record that the log was restored to event ${subject}`,
  },
  'release-sale': {
    label: 'Sales released',
    say: ({ name, money }) => `Release${money} of a sale of ${name}`,
  },
  'record-purchase': {
    label: 'Purchases recorded again',
    say: ({ name, subject }) => `Record the purchase of ${name} with the certificate ${subject}`,
  },
  limits: { label: 'Limits', say: ({ subject }) => `Let one person do alone: ${subject}` },
  'grant-role': {
    label: 'Roles granted',
    say: ({ name, subject }) => `Grant the role ${subject} to ${name}`,
  },
  'revoke-role': {
    label: 'Roles taken',
    say: ({ name, subject }) => `Take the role ${subject} from ${name}`,
  },
  'break-glass': {
    label: 'Emergencies',
    say: ({ name, subject }) => `Grant the role ${subject} to ${name} without a second person`,
  },
  'end-sessions': { label: 'Sign-outs', say: ({ name }) => `Sign ${name} out everywhere` },
  'reset-factors': { label: 'Second factors reset', say: ({ name }) => `Reset the second factor of ${name}` },
  'close-month': { label: 'Months closed', say: ({ subject }) => `Close ${monthName(subject)}` },
  'creator-taxes': {
    label: 'Tax exports of creators',
    say: ({ subject }) => `Export the tax details of creators for ${subject}`,
  },
  'retry-report': {
    label: 'Reports read again',
    say: ({ subject }) => `Read the report ${subject} of the payment provider again`,
  },
  takedown: { label: 'Takedowns', say: ({ subject }) => `Take down ${subject}` },
  complaint: { label: 'Complaints', say: ({ subject }) => `Answer a complaint: ${subject}` },
  copy: {
    label: 'Suspected copies',
    say: ({ name, subject }) => `${ON_COPIES[subject] ?? 'Decide on'} a suspected copy of ${name}`,
  },
  creator: {
    label: 'Creators',
    say: ({ name, subject }) => `${ON_CREATORS[subject] ?? 'Decide on'} ${name} as a creator`,
  },
  claim: { label: 'Claims paid', say: ({ name }) => `Pay a claim to ${name}` },
};

export const sentenceOf = ({ kind, subject, beneficiaryName, credits, microUsd }: StaffAct): string =>
  ACTS[kind].say({
    name: beneficiaryName ?? 'a user',
    money: microUsd === null ? '' : ` ${formatMicroUsd(microUsd)}`,
    worth: microUsd ? ` worth ${formatMicroUsd(microUsd)}` : '',
    subject: subject ?? '',
    credits: credits ?? 0,
  });
