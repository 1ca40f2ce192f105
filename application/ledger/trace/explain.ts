import { sumOf } from '../../../domain/shared/micro-usd.js';
import { paths } from '../../pages/paths.js';
import { Injectable } from '@nestjs/common';
import { SignedHeads } from '../../operations/signed-heads.js';
import { PaymentWords } from '../../payments/payment-gateway.js';
import { Clock } from '../../shared/clock.js';
import { EventStore } from '../../shared/event-store.js';
import { nextHash, GENESIS_HASH } from '../../shared/proof/hash-chain.js';
import type { Trace, TraceCard, TraceQuery } from './trace-contract.js';
import { explanationOf, type Explanation } from './explanation.js';
import { staffPaths } from '../../pages/staff-paths.js';
import { dayOf } from '../../shared/text.js';
import { TracedEvents, TracedSearch, type Traced } from './traced-events.js';
import { allOf, effectOf, postingsOf, type Draft } from './way.js';

const FORMER = 'Former member';
const OUTCOMES = 50;

type Names = (id: string) => string;

/** Explains any amount of the books: where the money came from and went, with a proof of each event. */
@Injectable()
export class Explain {
  constructor(
    private readonly events: TracedEvents,
    private readonly words: PaymentWords,
    private readonly names: TracedSearch,
    private readonly log: EventStore,
    private readonly heads: SignedHeads,
    private readonly clock: Clock,
  ) {}

  async of(id: string, { line, after = 0 }: TraceQuery = {}): Promise<Trace | undefined> {
    const found = await explanationOf(this.events, this.words, id, line);
    if (!found) return undefined;
    const drafts = [...found.way.cards.values()];
    const outcomes = await this.outcomesOf(found, after);
    const facts = drafts.flatMap((draft) => draft.facts);
    const [people, samples] = await Promise.all([
      this.names.people([...new Set(facts.flatMap(({ person }) => person ?? []))]),
      this.names.samples([...new Set([...facts.flatMap(({ sample }) => sample ?? []), ...outcomes.samples])]),
    ]);
    const person: Names = (who) => (who.startsWith('system:') ? who.slice(7) : (people.get(who) ?? FORMER));
    const sample: Names = (which) => samples.get(which) ?? which;
    const cards = drafts.map((draft) => cardOf(draft, person, sample));
    return {
      id,
      note: noteOf(cards),
      crumbs: crumbsOf(found, cards, drafts),
      selected: found.selected,
      cards,
      line: found.line ?? null,
      outcomes: outcomes.items.map(({ sampleId, ...item }) => ({ ...item, title: sample(sampleId) })),
      outcomeCount: outcomes.count,
      nextAfter: outcomes.nextAfter,
      proof: await this.prove(drafts.flatMap(({ events }) => events.map(({ position }) => position))),
    };
  }

  private async outcomesOf({ lots }: Explanation, after: number) {
    const spent: Traced[] = [];
    for (const { userId, lotId } of lots)
      spent.push(...(await this.events.ofLot(userId, lotId)).filter(({ type }) => type === 'CreditsSpent'));
    const ids = new Set(lots.map(({ lotId }) => lotId));
    const all = allOf(spent, 'CreditsSpent').filter(
      ({ position, data }, index, every) =>
        data.segments.some(({ lotId }) => ids.has(lotId)) &&
        every.findIndex((event) => event.position === position) === index,
    );
    const left = all.filter(({ position }) => position > after).toSorted((a, b) => a.position - b.position);
    const shown = left.slice(0, OUTCOMES);
    const items = await Promise.all(
      shown.map(async ({ data, recordedAt }) => {
        const { purchaseId, segments } = data;
        const [sale] = allOf(await this.events.naming(purchaseId), 'SamplePurchased');
        const ours = segments.filter(({ lotId }) => ids.has(lotId));
        return {
          id: purchaseId,
          sampleId: sale?.data.sampleId ?? purchaseId,
          at: recordedAt.toISOString(),
          credits: sumOf(ours.map(({ credits }) => credits)),
          valueMicroUsd: sumOf(ours.map(({ valueMicroUsd }) => valueMicroUsd)),
          href: staffPaths.financeTrace(purchaseId),
        };
      }),
    );
    return {
      items,
      count: all.length,
      nextAfter: left.length > shown.length ? (shown.at(-1)?.position ?? null) : null,
      samples: items.map(({ sampleId }) => sampleId),
    };
  }

  private async prove(positions: readonly number[]): Promise<Trace['proof']> {
    const events = [];
    for (const position of [...new Set(positions)].toSorted((a, b) => a - b)) {
      const stored = await this.log.readStored({ after: Math.max(0, position - 2), limit: 2 });
      const event = stored.find((one) => one.position === position);
      const before = stored.find((one) => one.position === position - 1)?.hash ?? GENESIS_HASH;
      if (event)
        events.push({ position, hash: event.hash, verified: nextHash(before, event) === event.hash });
    }
    const newest = await this.heads.newest();
    const head = newest && { signedAt: newest.signedAt, position: newest.position };
    return { events, head, checkedAt: this.clock.now().toISOString() };
  }
}

function cardOf({ events, at, href, facts, ...card }: Draft, person: Names, sample: Names): TraceCard {
  return {
    ...card,
    at: at.toISOString(),
    href: href ?? null,
    facts: facts.map(({ person: who, sample: which, ...fact }) => ({
      ...fact,
      ...(who === undefined ? {} : { text: person(who) }),
      ...(which === undefined ? {} : { text: sample(which) }),
    })),
    postings: events.flatMap((event) =>
      postingsOf(event).map((posting) => ({
        position: event.position,
        type: event.type,
        ...posting,
        does: effectOf(posting),
      })),
    ),
    positions: events.map(({ position }) => position),
  };
}

const factOf = (cards: readonly TraceCard[], kind: TraceCard['kind'], label: string): string | undefined =>
  cards.find((card) => card.kind === kind)?.facts.find((fact) => fact.label === label)?.text;

function noteOf(cards: readonly TraceCard[]): string {
  const [to, from] = [factOf(cards, 'payout', 'To'), factOf(cards, 'invoice', 'For')];
  const way = to && from ? `From the money ${to} got, back to the money ${from} paid. ` : '';
  return `${way}Each card comes from the next one. USD, times in UTC.`;
}

function crumbsOf(
  { selected, line }: Explanation,
  cards: readonly TraceCard[],
  drafts: readonly Draft[],
): Trace['crumbs'] {
  const card = cards.find(({ key }) => key === selected);
  const draft = drafts.find(({ key }) => key === selected);
  const whose = draft?.facts.find(
    ({ label }) => label === (draft.kind === 'payout' ? 'To' : 'Creator'),
  )?.person;
  if (!card || whose === undefined)
    return [
      { label: 'Overview', href: paths.finance },
      { label: card ? `${card.title} ${card.id}` : selected, href: null },
    ];
  const name = card.facts.find(({ label }) => label === 'To' || label === 'Creator')?.text ?? FORMER;
  const creator = [
    { label: 'Creators', href: staffPaths.financeCreators },
    { label: name, href: staffPaths.financeCreator(whose) },
  ];
  if (card.kind !== 'payout') return [...creator, { label: `Sale of ${dayOf(card.at)}`, href: null }];
  return [
    ...creator,
    { label: `Payout of ${dayOf(card.at)}`, href: staffPaths.financeCreator(whose) },
    { label: line ? `Line ${line.number} of ${line.of}` : 'No lines', href: null },
  ];
}
