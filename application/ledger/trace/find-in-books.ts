import { assertMicroUsd } from '../../../domain/shared/micro-usd.js';
import { Injectable } from '@nestjs/common';
import { PeopleQueries } from '../../accounts/staff/staff-queries.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../accounts/values.js';
import type { FoundItem, TracedKind } from './trace-contract.js';
import { staffPaths } from '../../pages/staff-paths.js';
import { dayOf } from '../../shared/text.js';
import { TracedEvents, TracedSearch, type Traced } from './traced-events.js';
import { amountsOf, idsOf, type TracedId } from './traced-ids.js';

const MOST = 20;

const TITLES: Record<TracedKind, string> = {
  movement: 'Movement at Stripe',
  charge: 'Charge',
  refund: 'Refund',
  reversal: 'Reversal',
  dispute: 'Dispute',
  'bank-payout': 'Payout to our bank',
  withdrawal: 'Payout',
  transfer: 'Transfer',
  purchase: 'Sale',
  certificate: 'Certificate',
  lot: 'Lot',
  adjustment: 'Adjustment',
  approval: 'Write-off',
  'adjusting-entry': 'Adjusting entry',
  invoice: 'Invoice',
  'invoice-line': 'Invoice line',
  gift: 'Gift',
};

/** The members of an event that identify a person, in order of precedence. */
const PERSON_MEMBERS = ['creatorId', 'userId', 'buyerId'] as const;
const personOf = ({ data }: Traced): string | undefined =>
  PERSON_MEMBERS.map((member) => data[member]).find((id) => typeof id === 'string');

type Found = TracedId & { event: Traced; amountMicroUsd?: number | undefined };

@Injectable()
export class FindInBooks {
  constructor(
    private readonly events: TracedEvents,
    private readonly search: TracedSearch,
    private readonly people: PeopleQueries,
  ) {}

  /** Returns at most twenty items, best match first. */
  async find(asked: string): Promise<FoundItem[]> {
    const { text, id, position, amountMicroUsd, day } = readQuestion(asked);
    const [ids, event, people, cash, left] = await Promise.all([
      id === undefined ? [] : this.search.idsLike(id, MOST),
      position === undefined ? undefined : this.events.at(position),
      text.length < PEOPLE_SEARCH_MIN_LENGTH ? [] : this.people.people(text).then(({ items }) => items),
      amountMicroUsd === undefined ? [] : this.search.movingCash(amountMicroUsd, MOST),
      amountMicroUsd === undefined ? [] : this.search.payoutsLeftWith(amountMicroUsd, MOST),
    ]);
    // A payout that was partly reversed is found by the amount that is left. Its event has the full amount, so the
    // found item shows the searched amount instead.
    const sums = [...left.map((event) => ({ event, amountMicroUsd })), ...cash.map((event) => ({ event }))];
    const found: Found[] = [...ids];
    for (const sum of sums) {
      const [subject] = idsOf(sum.event);
      if (subject && !found.some(({ id: known }) => known === subject.id)) found.push({ ...subject, ...sum });
    }
    const names = await this.search.people([...new Set(found.flatMap((each) => personOf(each.event) ?? []))]);
    return [
      ...(event ? [eventItem(event)] : []),
      ...(day === undefined ? [] : [dayItem(day)]),
      ...found.slice(0, ids.length).map((each) => tracedItem(each, names)),
      ...people.map(({ id: userId, displayName, email, handle }): FoundItem => ({
        kind: 'person',
        id: userId,
        title: displayName,
        subtitle: handle ? `${email} · ${handle}` : email,
        href: handle ? staffPaths.financeCreator(userId) : staffPaths.financeProof(userId),
      })),
      ...found.slice(ids.length).map((each) => tracedItem(each, names)),
    ].slice(0, MOST);
  }
}

const eventItem = ({ position, type, stream, recordedAt }: Traced): FoundItem => ({
  kind: 'event',
  id: String(position),
  title: `Event ${position.toLocaleString('en')}`,
  subtitle: `${type} of ${stream}`,
  at: recordedAt.toISOString(),
  href: staffPaths.financeTrace(position),
});

const dayItem = (day: string): FoundItem => ({
  kind: 'day',
  id: day,
  title: `Events from ${dayOf(day)} on`,
  subtitle: 'By UTC',
  href: staffPaths.financeEventsOf({ from: String(day) }),
});

function tracedItem(
  { id, kind, event, amountMicroUsd = amountsOf(event)[0] }: Found,
  names: ReadonlyMap<string, string>,
): FoundItem {
  const person = personOf(event);
  return {
    kind,
    id,
    title: `${TITLES[kind]} ${id}`,
    subtitle: person === undefined ? event.type : (names.get(person) ?? 'Former member'),
    ...(amountMicroUsd === undefined ? {} : { amountMicroUsd }),
    at: event.recordedAt.toISOString(),
    href: staffPaths.financeTrace(id),
  };
}

/** The possible meanings of a search text, often several at once. */
interface Question {
  text: string;
  id?: string;
  position?: number;
  amountMicroUsd?: number;
  /** A day such as `2026-11-20`. */
  day?: string;
}

/** A search for the beginning of an id needs this many characters, because shorter beginnings match too many ids. */
const ID_MIN_LENGTH = 6;
const ID = /^[\w:.-]+$/;
const POSITION = /^#?(\d{1,15})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Matches amounts such as "12.34", "−12.34" and "$1,599.00", with up to six decimal places. */
const AMOUNT = /^[-+\u2212]?\s*\$?\s*(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,6}))?(?:\s*usd)?$/i;

function readQuestion(asked: string): Question {
  const text = asked.trim();
  const question: Question = { text };
  if (ID.test(text) && text.length >= ID_MIN_LENGTH) question.id = text;
  const [, position] = POSITION.exec(text) ?? [];
  if (position) question.position = Number(position);
  const [, whole, places = ''] = AMOUNT.exec(text) ?? [];
  if (whole)
    question.amountMicroUsd = assertMicroUsd(Number(whole.replaceAll(',', '') + places.padEnd(6, '0')));
  if (DAY.test(text) && !Number.isNaN(Date.parse(text))) question.day = text;
  return question;
}
