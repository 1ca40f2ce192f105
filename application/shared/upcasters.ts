/** Turns the data of an event written long ago into today's shape. Fields are only ever added. */
export type Upcasters = Readonly<Record<string, (data: Record<string, unknown>) => Record<string, unknown>>>;

/** One entry per event type whose shape has grown. None has yet. */
export const UPCASTERS: Upcasters = {};
