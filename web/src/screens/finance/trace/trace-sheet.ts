import type { Trace } from '../../../api/finance.js';
import type { Sheet } from '../../../staff/list/sheet.js';

export function sheetOf({ cards }: Trace): Sheet {
  return {
    columns: [
      'card',
      'id',
      'at',
      'amount_usd',
      'sum',
      'position',
      'event',
      'account',
      'commodity',
      'debit',
      'credit',
    ],
    rows: cards.flatMap(({ title, id, at, amountMicroUsd, sum, postings }) => [
      [title, id, at, { microUsd: amountMicroUsd }, sum.text, '', '', '', '', '', ''],
      ...postings.map(({ position, type, account, commodity, delta }) => {
        const amount = commodity === 'credits' ? Math.abs(delta) : { microUsd: Math.abs(delta) };
        const sides = delta > 0 ? [amount, ''] : ['', amount];
        return [title, id, at, '', '', position, type, account, commodity, ...sides];
      }),
    ]),
  };
}
