import type { TraceCard } from '../../../api/finance.js';

/** The whole amount as a length of tape; the part of this trace is yellow. */
export function TraceTape({ part, joined }: { part: TraceCard['part']; joined: boolean }) {
  const { fromMicroUsd, toMicroUsd, ofMicroUsd, text } = part;
  const at = (amount: number): number => (ofMicroUsd === 0 ? 0 : (amount / ofMicroUsd) * 100);
  return (
    <div className="trace-tape" role="img" aria-label={`Tape: ${text}`} data-joined={joined || undefined}>
      <span
        style={{
          ['--from' as string]: `${at(fromMicroUsd)}%`,
          ['--long' as string]: `${at(toMicroUsd) - at(fromMicroUsd)}%`,
        }}
      />
    </div>
  );
}
