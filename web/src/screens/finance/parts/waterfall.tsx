import { clsx } from 'clsx';
import type { Rollforward } from '../../../../../application/ledger/contract.js';

/** The steps from opening to closing, in the order of the sum. */
export const STEPS = [
  ['opening', 'Opening', 0],
  ['granted', 'Granted', 1],
  ['spent', 'Spent', -1],
  ['returned', 'Returned', 1],
  ['revoked', 'Revoked', -1],
  ['adjusted', 'Adjusted', 1],
  ['closing', 'Closing', 0],
] as const satisfies readonly (readonly [keyof Rollforward, string, number])[];

/** Formats an amount, such as "+ 50" or "− 20". Opening and closing amounts have no sign. */
function signed(amount: number, isStep: boolean): string {
  const sign = !isStep || amount === 0 ? '' : amount < 0 ? '\u2212 ' : '+ ';
  return `${sign}${Math.abs(amount).toLocaleString('en')}`;
}

function stretches(forward: Rollforward) {
  let at = 0;
  return STEPS.map(([step, label, sign]) => {
    const amount = sign === 0 ? forward[step] : forward[step] * sign;
    const [from, to] = sign === 0 ? [0, amount] : [at, at + amount];
    at = to;
    return { step, label, amount, isStep: sign !== 0, low: Math.min(from, to), high: Math.max(from, to) };
  });
}

/**
 * A table of steps with bars. The bars of opening and closing start at 0; every other bar starts where the bar
 * before it ends. Decreases are hatched.
 */
export function Waterfall({ forward, label }: { forward: Rollforward; label: string }) {
  const rows = stretches(forward);
  const [least, most] = [
    Math.min(0, ...rows.map(({ low }) => low)),
    Math.max(1, ...rows.map(({ high }) => high)),
  ];
  const share = (amount: number) => `${((amount / (most - least)) * 100).toFixed(3)}%`;
  return (
    <table className="w-full border-collapse" aria-label={label}>
      <tbody>
        {rows.map(({ step, label, amount, isStep, low, high }) => (
          <tr key={step} className="last:*:border-t-2 last:*:border-text">
            <th
              scope="row"
              className={`h-7.5 w-[1%] pr-4 text-left whitespace-nowrap ${isStep ? 'font-[450] text-muted' : 'font-[650]'}`}
            >
              {label}
            </th>
            <td aria-hidden="true">
              {amount !== 0 && (
                <span
                  className={clsx(
                    'fall-bar block h-4 min-w-0.5',
                    isStep ? 'text-c2' : 'text-wave',
                    amount < 0 ? 'hatched' : 'bg-current',
                  )}
                  data-step={step}
                  style={{ marginLeft: share(low - least), width: share(high - low) }}
                />
              )}
            </td>
            <td
              className={clsx(
                'w-[1%] pl-4 text-right whitespace-nowrap',
                isStep ? 'font-semibold' : 'font-[650]',
                amount === 0 && 'text-faint',
              )}
            >
              {signed(amount, isStep)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
