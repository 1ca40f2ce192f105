import type { Trace, TraceCard } from './trace-contract.js';
import { money } from './way.js';

const WIDTH = 16;
const row = (label: string, value: string): string => `  ${label.padEnd(WIDTH)}${value}`;

/** Returns whether the amount of every card equals its `sum`, and every event has the right hash. */
export const tiesOut = ({ cards, proof }: Pick<Trace, 'cards' | 'proof'>): boolean =>
  cards.every(({ sum, amountMicroUsd }) => sum.microUsd === amountMicroUsd) &&
  proof.events.every(({ verified }) => verified);

function blockOf(card: TraceCard): string[] {
  const { title, id, at, amountMicroUsd, sum, part, facts, rounding, from, postings } = card;
  const ties = sum.microUsd === amountMicroUsd;
  return [
    `${title}  ${id}  ${at}`,
    row(
      'amount',
      `${money(amountMicroUsd)} = ${sum.text}${ties ? '' : `, which is ${money(sum.microUsd)}: DIFFERS`}`,
    ),
    row(
      'part',
      `${money(part.fromMicroUsd)} to ${money(part.toMicroUsd)} of ${money(part.ofMicroUsd)}: ${part.text}`,
    ),
    ...facts.map(({ label, text, microUsd, at: time }) =>
      row(label.toLowerCase(), text ?? time ?? money(microUsd ?? 0)),
    ),
    row('rounding', rounding),
    ...postings.map(({ position, type, account, commodity, delta }) =>
      row(
        `event ${position}`,
        `${type.padEnd(24)}${(commodity === 'credits' ? String(delta) : money(delta)).padStart(16)}  ${account}`,
      ),
    ),
    ...(from.length > 0 ? [row('comes from', from.join(', '))] : []),
    '',
  ];
}

export function traceText({ note, crumbs, cards, outcomes, outcomeCount, proof }: Trace): string[] {
  const broken = proof.events.filter(({ verified }) => !verified);
  return [
    crumbs.map(({ label }) => label).join(' > '),
    note,
    '',
    ...cards.flatMap(blockOf),
    ...(outcomes.length > 0 ? [`What came of it, ${outcomes.length} of ${outcomeCount}`] : []),
    ...outcomes.map(({ at, title, credits, valueMicroUsd, id }) =>
      row(at, `${money(valueMicroUsd)} of ${credits} credits, ${title}, ${id}`),
    ),
    broken.length === 0
      ? `${proof.events.length} events verified against their hashes; ${
          proof.head
            ? `signed head of ${proof.head.signedAt} at event ${proof.head.position}`
            : 'no signed head yet'
        }`
      : `events ${broken.map(({ position }) => position).join(', ')} are not what was hashed`,
  ];
}
