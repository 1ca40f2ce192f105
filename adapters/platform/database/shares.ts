const WITHDRAWN = `'withdrawal-requested', 'withdrawal-failed', 'transfer-reversed'`;
const TAKEN_BACK = `'share-returned', 'share-taken-back'`;

/**
 * SQL: sums of the journal lines of a creator's account, by kind of fact. The balance is earned - taken back -
 * withdrawn + written off.
 */
export const CREATOR_SUMS = `
  count(*) filter (where fact = 'share-earned')::int as sales,
  coalesce(-sum(delta) filter (where fact = 'share-earned'), 0)::bigint as "earnedMicroUsd",
  coalesce(sum(delta) filter (where fact in (${TAKEN_BACK})), 0)::bigint as "takenBackMicroUsd",
  coalesce(sum(delta) filter (where fact in (${WITHDRAWN})), 0)::bigint as "withdrawnMicroUsd",
  coalesce(-sum(delta) filter (where fact not in ('share-earned', ${TAKEN_BACK}, ${WITHDRAWN})), 0)::bigint as "writtenOffMicroUsd"`;

/**
 * SQL: the JSON array of shares in an event. Sales recorded before shares could be split, and events other than
 * sales, name one creator.
 */
export const sharesIn = (data: string): string =>
  `coalesce(${data}->'shares', json_build_array(json_build_object('creatorId', ${data}->>'creatorId', 'shareMicroUsd', ${data}->>'shareMicroUsd')))`;
