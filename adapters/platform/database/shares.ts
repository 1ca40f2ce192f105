/** SQL: the JSON array of shares in an event. Sales from before splits, and other events, name one creator. */
export const sharesIn = (data: string): string =>
  `coalesce(${data}->'shares', json_build_array(json_build_object('creatorId', ${data}->>'creatorId', 'shareMicroUsd', ${data}->>'shareMicroUsd')))`;
