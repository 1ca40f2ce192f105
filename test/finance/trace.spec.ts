import { expect, it } from '@jest/globals';
import { stripeWords } from '../../adapters/vendors/stripe/stripe-words.js';
import { explanationOf } from '../../application/ledger/trace/explanation.js';
import type { Draft } from '../../application/ledger/trace/way.js';
import { SEED, sizeOf } from '../support/sizes.js';
import { runHistory } from './model/history.js';
import { TracedCompany } from './model/traced.js';

/** Explaining every id of one history takes as long as running a hundred histories. */
const HISTORIES = Math.floor(sizeOf('MODEL_HISTORIES') / 200);
const STEPS = 60;

const KINDS = [
  'adjusting-entry',
  'bank-payout',
  'dispute',
  'invoice',
  'lot',
  'movement',
  'payout',
  'refund',
  'reversal',
  'sale',
  'segment',
  'unpaid',
];

/** A movement without its fact ties to nothing yet. */
const waits = ({ kind, sum, facts }: Draft): boolean =>
  kind === 'movement' && sum.microUsd === 0 && facts.some(({ text }) => text === 'charge');

it(`[FIN-70, FIN-71] every id of ${HISTORIES} random histories is explained, and each card's sum is its amount`, async () => {
  const seen = new Set<string>();
  // Continues until every kind has occurred.
  for (let n = 0; n < HISTORIES || (seen.size < KINDS.length && n < 1_000); n += 1) {
    const name = `${SEED}.${n}`;
    const { company } = runHistory(name, STEPS, new Map());
    const events = new TracedCompany(company);
    for (const id of events.named.keys()) {
      const found = await explanationOf(events, stripeWords, id);
      if (!found) throw new Error(`SEED=${name}: ${id} is not explained`);
      for (const card of found.way.cards.values()) {
        const wrong = card.sum.microUsd !== card.amountMicroUsd && !waits(card);
        if (wrong)
          throw new Error(
            `SEED=${name}: of ${id}, ${card.key} is ${card.amountMicroUsd} and sums to ${card.sum.microUsd} (${card.sum.text})`,
          );
        for (const from of card.from) expect(found.way.cards.has(from)).toBe(true);
        const { fromMicroUsd, toMicroUsd, ofMicroUsd } = card.part;
        if (!(0 <= fromMicroUsd && fromMicroUsd <= toMicroUsd && toMicroUsd <= ofMicroUsd))
          throw new Error(`SEED=${name}: of ${id}, ${card.key} has the part ${JSON.stringify(card.part)}`);
        seen.add(card.kind);
      }
      expect(found.way.cards.has(found.selected)).toBe(true);
    }
  }
  expect([...seen].sort()).toEqual(KINDS);
});

it('[FIN-71] the segments of a sale sum to its value, and all that a lot gave to what it was worth', async () => {
  for (let n = 0; n < HISTORIES; n += 1) {
    const { company } = runHistory(`${SEED}.${n}`, STEPS, new Map());
    const events = new TracedCompany(company);
    for (const { purchaseId, valueMicroUsd } of company.sales.values()) {
      const cards = [...((await explanationOf(events, stripeWords, purchaseId))?.way.cards.values() ?? [])];
      const sale = cards.find(({ key }) => key === `sale:${purchaseId}`);
      const segments = cards.filter(({ key }) => key.startsWith(`segment:${purchaseId}:`));
      expect(segments.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0)).toBe(valueMicroUsd);
      expect(sale?.from).toEqual(segments.map(({ key }) => key));
      // The explanation of paid credits ends at a movement or an invoice, of promotional credits at a gift. A part of
      // a pack that cost no credits explains itself.
      const ends = cards
        .filter(({ from, key }) => from.length === 0 && (segments.length > 0 || key !== sale?.key))
        .map(({ kind }) => kind);
      expect(ends.every((kind) => ['movement', 'invoice', 'unpaid'].includes(kind))).toBe(true);
    }
  }
});
