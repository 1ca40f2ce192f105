/** Functions that convert the data of old events to today's shape. Fields are only ever added. */
export type Upcasters = Readonly<Record<string, (data: Record<string, unknown>) => Record<string, unknown>>>;

/** One entry per event type whose shape has grown; none so far. */
export const UPCASTERS: Upcasters = {};
