import { Link } from 'react-router-dom';
import { ALONE_WINDOW_HOURS } from '../../../../application/administration/values.js';
import type { ApprovalFacts } from '../../api/approvals.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import type { StaffArea } from '../../shell/staff-area.js';
import { countOf, formatDay, formatMicroUsd, formatShortDay } from '../../ui/format.js';
import { shortUtcTime } from '../dates.js';

type Earlier = ApprovalFacts['asker']['given'][number];

const SHOWN = 3;
/** The length of the bar, relative to the larger of its total and the limit, so that space remains after both. */
const ROOM = 1.18;

interface Measured {
  given: readonly number[];
  asked: number;
  limit: number;
  say: (amount: number) => string;
}

/** The amounts to compare with the limit of one person; undefined unless the request is about credits or a refund. */
function measured({ work, asker }: ApprovalFacts): Measured | undefined {
  if (work.kind === 'adjustment')
    return {
      given: asker.given.map(({ credits }) => Math.abs(credits)),
      asked: Math.abs(work.credits),
      limit: asker.limitCredits,
      say: (credits) => credits.toLocaleString('en'),
    };
  if (work.kind === 'refund')
    return {
      given: asker.given.map(({ microUsd }) => microUsd),
      asked: work.amountMicroUsd,
      limit: asker.limitMicroUsd,
      say: formatMicroUsd,
    };
  return undefined;
}

function Bar({ given, asked, limit, say }: Measured) {
  const already = given.reduce((total, amount) => total + amount, 0);
  const together = already + asked;
  const all = Math.max(limit, together) * ROOM;
  const width = (amount: number) => ({ width: `${(amount / all) * 100}%` });
  return (
    <>
      <div
        role="img"
        aria-label={`Given ${say(already)}, this one ${say(asked)}, together ${say(together)}; alone up to ${say(limit)}`}
        className="relative pt-7.5"
      >
        <span className="absolute top-6 -bottom-1 w-0.5 bg-text" style={{ left: `${(limit / all) * 100}%` }}>
          <span className="absolute bottom-full left-1/2 -translate-x-1/2 text-sm whitespace-nowrap">
            limit alone, {say(limit)}
          </span>
        </span>
        <span className="flex h-6 gap-0.5 bg-inset">
          {given.map((amount, place) => (
            <span key={place} className="bg-c2" style={width(amount)} />
          ))}
          <span className="hatched text-sticker" style={width(asked)} />
        </span>
      </div>
      <dl className="mt-3 grid gap-2">
        {[
          ['bg-c2', `Given, ${countOf(given.length, 'time')}`, say(already)] as const,
          ['hatched text-sticker', 'This one', say(asked)] as const,
        ].map(([mark, label, amount]) => (
          <div key={label} className="flex items-center justify-between">
            <dt className="flex items-center gap-2.5">
              <span className={`size-3.5 ${mark}`} />
              {label}
            </dt>
            <dd className="font-semibold">{amount}</dd>
          </div>
        ))}
        <div className="flex justify-between border-t-2 border-text pt-2">
          <dt>{together > limit ? 'Together, above the limit' : 'Together, within the limit'}</dt>
          <dd className="font-semibold">{say(together)}</dd>
        </div>
      </dl>
    </>
  );
}

const amountOf = ({ kind, credits, microUsd }: Earlier) =>
  kind === 'refund'
    ? `Refund ${formatMicroUsd(microUsd)}`
    : `${credits < 0 ? '\u2212' : '+'}${countOf(Math.abs(credits), 'credit')}`;

export function Before({ area, facts }: { area: StaffArea; facts: ApprovalFacts }) {
  const { asker, person, beneficiary, beneficiaryName, requestedByName } = facts;
  const bar = measured(facts);
  if (!bar && !(person && beneficiary)) return null;
  return (
    <div className="min-w-0 border-line px-5 py-6 max-[87.5rem]:border-t min-[87.5rem]:w-90 min-[87.5rem]:flex-none min-[87.5rem]:border-l">
      {bar && (
        <section aria-labelledby="asker-title" className="mb-6">
          <h4 id="asker-title" className="font-semibold">
            {requestedByName} in the last {ALONE_WINDOW_HOURS} hours
          </h4>
          <Bar {...bar} />
          {asker.given.length > 0 && (
            <p className="mt-2 text-sm text-muted">
              {asker.given
                .map((each) => `${amountOf(each)} to ${each.name}, ${shortUtcTime(each.at)}`)
                .join('; ')}
              .
            </p>
          )}
        </section>
      )}
      {person && beneficiary && (
        <section aria-labelledby="person-title">
          <div className="flex items-baseline justify-between gap-3">
            <h4 id="person-title" className="font-semibold">
              {beneficiaryName}, before this
            </h4>
            <Link
              to={
                area === 'admin' ? staffPaths.adminAudit(beneficiary) : staffPaths.financeCreator(beneficiary)
              }
              className="whitespace-nowrap text-sm underline underline-offset-4"
            >
              All about them
            </Link>
          </div>
          <p className="mt-1 text-sm text-muted">
            {person.since ? `Since ${formatDay(person.since)}, ` : ''}
            {person.disputes === 0 ? 'no disputes' : countOf(person.disputes, 'dispute')}
          </p>
          <table className="mt-3 w-full text-sm">
            <caption className="sr-only">Given and refunded in a year</caption>
            <tbody>
              {person.earlier.slice(0, SHOWN).map((each) => (
                <tr key={each.at} className="border-t border-line align-top">
                  <td className="whitespace-nowrap py-2 pr-4 text-muted">{formatShortDay(each.at)}</td>
                  <th scope="row" className="whitespace-nowrap py-2 pr-4 text-left font-semibold">
                    {amountOf(each)}
                  </th>
                  <td className="py-2 text-muted wrap-anywhere">{each.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {person.earlier.length === 0 && (
            <p className="text-sm text-muted">Nothing was given or refunded in a year.</p>
          )}
        </section>
      )}
    </div>
  );
}
