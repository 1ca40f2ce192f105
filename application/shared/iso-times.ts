/** An answer as a database returns it: `at`, names that end in `At`, and the names in `Times` are `Date` objects. */
export type Dated<Answer, Times extends string = never> = {
  [Key in keyof Answer]: Key extends 'at' | `${string}At` | Times
    ? Date | Extract<Answer[Key], null>
    : Answer[Key];
};

type WithIsoTimes<Row> = {
  [Key in keyof Row]: Row[Key] extends Date ? string : Date extends Row[Key] ? string | null : Row[Key];
};

/** Returns the row with its dates in ISO 8601. */
export const withIsoTimes = <Row extends object>(row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as WithIsoTimes<Row>;
