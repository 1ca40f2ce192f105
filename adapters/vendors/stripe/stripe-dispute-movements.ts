import type Stripe from 'stripe';

type Moved = Stripe.Dispute['balance_transactions'][number];

export interface DisputeMovements {
  /** The movement that took the money; undefined while the bank only inquires. */
  taking: Moved | undefined;
  giving: Moved | undefined;
  others: { moved: Moved; afterGiving: boolean }[];
}

/** Returns the movements of a dispute in US dollars. */
export function movementsOf({ balance_transactions: all, status }: Stripe.Dispute): DisputeMovements {
  const moved = all
    .filter(({ currency }) => currency === 'usd')
    .sort((one, other) => one.created - other.created);
  const taking = moved.find(({ amount }) => amount < 0);
  // Part of the money may have come back before the end.
  const giving = status === 'won' ? moved.findLast(({ amount }) => amount > 0) : undefined;
  const given = giving ? moved.indexOf(giving) : moved.length;
  const others = moved.flatMap((each, index) =>
    each === taking || each === giving ? [] : [{ moved: each, afterGiving: index > given }],
  );
  return { taking, giving, others };
}
