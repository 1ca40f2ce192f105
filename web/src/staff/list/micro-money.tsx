import { clsx } from 'clsx';

/** Micro-dollars in full: "1,234.56", then the four smaller digits unless they are zero. A zero is faint. */
export function Money({ microUsd, signed = false }: { microUsd: number; signed?: boolean }) {
  const size = Math.abs(microUsd);
  const [whole, cents] = [Math.floor(size / 1_000_000), Math.floor((size % 1_000_000) / 10_000)];
  const rest = size % 10_000;
  const sign = microUsd < 0 ? '\u2212' : signed && microUsd > 0 ? '+' : '';
  return (
    <span className={clsx('whitespace-nowrap', microUsd === 0 && 'text-faint')}>
      {sign}
      {whole.toLocaleString('en')}.{String(cents).padStart(2, '0')}
      {/* Four digits wide even when empty, so that cents align. */}
      <span
        className="inline-block min-w-[4.2ch] pl-0.5 text-left text-xs font-[450] text-faint"
        aria-hidden={rest === 0 ? true : undefined}
      >
        {rest === 0 ? '' : String(rest).padStart(4, '0')}
      </span>
    </span>
  );
}
