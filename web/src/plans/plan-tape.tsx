/**
 * Credits as a length of tape, with a tick every five credits and a longer one every fifty.
 * @param of the length of the whole rail, in credits
 */
export function PlanTape({ credits, of }: { credits: number; of: number }) {
  let ticks = '';
  for (let at = 5; at < credits; at += 5) ticks += `M${at} 34v-${at % 50 === 0 ? 18 : 8}`;
  return (
    <div className="mt-6 border-b border-current/45" aria-hidden="true">
      <div className="h-8.5 bg-accent cut-end-34" style={{ width: `${(credits / of) * 100}%` }}>
        <svg
          viewBox={`0 0 ${credits} 34`}
          preserveAspectRatio="none"
          className="block size-full stroke-on-accent stroke-1"
        >
          <path d={ticks} vectorEffect="non-scaling-stroke" />
        </svg>
      </div>
    </div>
  );
}
