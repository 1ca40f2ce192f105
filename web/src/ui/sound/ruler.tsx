/** A ruler under a waveform: a tick per second, a long one every ten seconds. @param seconds length of the preview */
export function Ruler({ seconds }: { seconds: number }) {
  const length = Math.max(1, Math.round(seconds));
  let ticks = '';
  for (let second = 0; second <= length; second += 1) {
    ticks += `M${second} 0v${second % 10 === 0 ? 8 : 4}`;
  }
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${length} 8`}
      preserveAspectRatio="none"
      className="block h-2 w-full overflow-visible"
    >
      <path d={ticks} stroke="var(--faint)" strokeWidth="1" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
