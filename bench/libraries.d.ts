/** What the measurements use of libraries that only `bench/package.json` installs. */
declare module 'lighthouse' {
  interface Result {
    lhr: { audits: Record<string, { numericValue?: number }> };
  }
  const lighthouse: (address: string, flags: object, config?: object) => Promise<Result | undefined>;
  export default lighthouse;
  export const desktopConfig: object;
}

declare module 'minisearch' {
  export default class MiniSearch<Row> {
    constructor(options: { fields: (keyof Row)[]; searchOptions: object });
    addAll(rows: readonly Row[]): void;
    search(text: string): { id: string }[];
  }
}

declare module '@event-driven-io/emmett' {
  export interface Event<Type extends string, Data> {
    type: Type;
    data: Data;
  }
  export function CommandHandler<State, Recorded>(options: {
    initialState(): State;
    evolve(state: State, event: Recorded): State;
  }): (store: unknown, stream: string, decide: (state: State) => Recorded[]) => Promise<unknown>;
}

declare module '@event-driven-io/emmett-postgresql' {
  export function getPostgreSQLEventStore(
    url: string,
    options: object,
  ): { schema: { migrate(): Promise<unknown> }; close(): Promise<unknown> };
  export function postgreSQLRawSQLProjection<Recorded>(options: {
    name: string;
    canHandle: string[];
    evolve(event: Recorded): unknown;
  }): object;
}

declare module '@event-driven-io/dumbo' {
  export function SQL(text: TemplateStringsArray, ...values: unknown[]): unknown;
}
