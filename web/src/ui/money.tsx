import { clsx } from 'clsx';
import { formatMicroUsd, MICRO_PER_CENT, partsOf } from './format.js';

export function QuietCents({ microUsd }: { microUsd: number }) {
  const [dollars, cents] = formatMicroUsd(microUsd).split('.');
  return (
    <>
      {dollars}
      <span className="text-[0.58em] text-faint">.{cents}</span>
    </>
  );
}

/** An amount cut to whole cents; the exact amount appears when the pointer rests on it. */
export function RoundedMoney({ microUsd, className }: { microUsd: number; className?: string }) {
  const { sign, whole, cents, rest } = partsOf(microUsd);
  const exact = `${sign}$${whole}.${cents}${String(rest).padStart(4, '0').replace(/0+$/, '')}`;
  return (
    <span title={exact} className={clsx('whitespace-nowrap', microUsd === 0 && 'text-faint', className)}>
      {formatMicroUsd(microUsd)}
    </span>
  );
}

export function ExactMoney({ microUsd, className }: { microUsd: number; className?: string }) {
  const below = String(Math.abs(microUsd) % MICRO_PER_CENT).padStart(4, '0');
  return (
    <span className={clsx('whitespace-nowrap', microUsd === 0 && 'text-faint', className)}>
      {formatMicroUsd(microUsd)}
      <span className="inline-block w-7 text-left text-[0.8em] font-normal text-faint">
        {below.replace(/0+$/, '')}
      </span>
    </span>
  );
}
