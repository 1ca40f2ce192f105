import type { ReactNode } from 'react';
import type { SuspectedCopy } from '../../../api/copies.js';
import { formatShortDay } from '../../../ui/format.js';
import { offsetOf, placeOf, speedOf } from './words.js';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

/** The measurements, and whether the newcomer's creator had licensed the original. */
export function Facts({ copy }: { copy: SuspectedCopy }) {
  const { stretch, offsetMs, licensedAt, alsoLike } = copy;
  return (
    <dl className="flex flex-wrap justify-between gap-x-8 gap-y-3 border-t border-line px-5 py-3">
      <Fact name="B starts in A at">{offsetOf(offsetMs)}</Fact>
      <Fact name="Same stretch in A">
        {placeOf(stretch.likeFromMs)} to {placeOf(stretch.likeToMs)}
      </Fact>
      <Fact name="Same stretch in B">
        {placeOf(stretch.fromMs)} to {placeOf(stretch.toMs)}
      </Fact>
      <Fact name="Speed and pitch">{speedOf(copy)}</Fact>
      <Fact name="B’s creator had A">
        {licensedAt ? (
          <span className="text-warn">licensed it {formatShortDay(licensedAt)}</span>
        ) : (
          'no licence'
        )}
      </Fact>
      {alsoLike.length > 0 && <Fact name="Also like">{alsoLike.join(', ')}</Fact>}
    </dl>
  );
}
