import { Fragment } from 'react';
import { Money } from '../../../staff/list/micro-money.js';

interface Part {
  label: string;
  microUsd: number;
  tone?: string | undefined;
}

/** Amounts that add up to the last one: side by side, on phones stacked. */
export function Addition({ parts }: { parts: readonly Part[] }) {
  return (
    <dl className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 max-md:grid max-md:gap-2.5">
      {parts.map(({ label, microUsd, tone = '' }, at) => (
        <Fragment key={label}>
          {at > 0 && (
            <span aria-hidden="true" className="pb-1 text-lg font-[650] text-muted max-md:hidden">
              {at === parts.length - 1 ? '=' : '+'}
            </span>
          )}
          <div className="max-md:flex max-md:items-baseline max-md:justify-between max-md:last:border-t-2 max-md:last:border-text max-md:last:pt-2.5">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className={`text-xl font-[650] md:mt-1.5 md:text-3xl ${tone}`}>
              <Money microUsd={microUsd} />
            </dd>
          </div>
        </Fragment>
      ))}
    </dl>
  );
}
