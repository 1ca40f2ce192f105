/** Turns the data of an event written long ago into today's shape. Fields are only ever added. */
export type Upcasters = Readonly<Record<string, (data: Record<string, unknown>) => Record<string, unknown>>>;

/** One entry for each event type whose shape has grown. There is none yet. */
export const UPCASTERS: Upcasters = {};
