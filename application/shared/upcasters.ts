/** Functions that convert the data of old events to today's shape. Fields are only ever added. */
export type Upcasters = Readonly<Record<string, (data: Record<string, unknown>) => Record<string, unknown>>>;

/** One function per event type that gained fields since its first version; so far, none has. */
export const UPCASTERS: Upcasters = {};
