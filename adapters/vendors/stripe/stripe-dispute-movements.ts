import type Stripe from 'stripe';

type Moved = Stripe.Dispute['balance_transactions'][number];

export interface DisputeMovements {
  /** With which the bank took the money; undefined while it only asks. */
  taking: Moved | undefined;
  /** With which the money of a dispute that was won came back. */
  giving: Moved | undefined;
  /** The others, oldest first. */
  others: { moved: Moved; afterGiving: boolean }[];
}

/** What a dispute moved in US dollars. */
export function movementsOf({ balance_transactions: all, status }: Stripe.Dispute): DisputeMovements {
  const moved = all
    .filter(({ currency }) => currency === 'usd')
    .sort((one, other) => one.created - other.created);
  const taking = moved.find(({ amount }) => amount < 0);
  // A part may have come back before the end.
  const giving = status === 'won' ? moved.findLast(({ amount }) => amount > 0) : undefined;
  const given = giving ? moved.indexOf(giving) : moved.length;
  const others = moved.flatMap((each, index) =>
    each === taking || each === giving ? [] : [{ moved: each, afterGiving: index > given }],
  );
  return { taking, giving, others };
}
