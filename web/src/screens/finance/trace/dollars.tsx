import { clsx } from 'clsx';

const split = (microUsd: number) => {
  const size = Math.abs(microUsd);
  return {
    sign: microUsd < 0 ? '\u2212' : '',
    whole: Math.floor(size / 1_000_000).toLocaleString('en'),
    cents: String(Math.floor((size % 1_000_000) / 10_000)).padStart(2, '0'),
    rest: size % 10_000,
  };
};

/** "$0.23" in large type, followed by the fractions of a cent in small type. */
export function Dollars({ microUsd }: { microUsd: number }) {
  const { sign, whole, cents, rest } = split(microUsd);
  return (
    <span className={clsx('display mt-3.5 block text-4xl whitespace-nowrap', microUsd === 0 && 'text-faint')}>
      {sign}${whole}.{cents}
      {rest > 0 && <small className="ml-px text-[0.56em] text-faint">{String(rest).padStart(4, '0')}</small>}
    </span>
  );
}

/** An amount of a fact: two decimal places, or six if needed. */
export function plainDollars(microUsd: number): string {
  const { sign, whole, cents, rest } = split(microUsd);
  return `${sign}${whole}.${cents}${rest > 0 ? String(rest).padStart(4, '0') : ''}`;
}
