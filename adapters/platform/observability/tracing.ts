import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span may tell: names, counts and codes; never who it was, nor anything that a client sent. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** A piece of work, while it lasts. */
export interface Span {
  /** For who continues this trace elsewhere: W3C's `traceparent`. */
  readonly traceParent: string;
  /** Whether its trace is among those that are sent. */
  readonly isKept: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(error: unknown): void;
  end(): void;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Begins spans and sends them where they are looked at. */
export interface Tracer {
  /** @param parent a span of this process, or the `traceparent` of another one */
  begin(name: string, kind: SpanKind, parent: Span | string | undefined): Span;
  /** Sends what was not sent yet; never fails. */
  close(): Promise<void>;
}

const current = new AsyncLocalStorage<Span>();
let tracer: Tracer | undefined;

/** From now on this process traces; undefined: not any more. */
export function traceWith(used: Tracer | undefined): void {
  tracer = used;
}

export const isTracing = (): boolean => tracer !== undefined;

/** Whether this is part of something that is traced. */
export const isWithinSpan = (): boolean => current.getStore() !== undefined;

/** For work that goes on in another process. */
export const traceParent = (): string | undefined => current.getStore()?.traceParent;

/** The same for what stays with an event for ever: only of traces that are kept. */
export function keptTraceParent(): string | undefined {
  const span = current.getStore();
  return span?.isKept ? span.traceParent : undefined;
}

/** Begins a span that somebody else ends. @returns undefined unless this process traces */
export const beginSpan = (name: string, kind: SpanKind, parent?: string): Span | undefined =>
  tracer?.begin(name, kind, parent ?? current.getStore());

/** What `work` does belongs to this span. */
export const withinSpan = <Result>(span: Span, work: () => Result): Result => current.run(span, work);

/** Runs `work` within a span of its own, if this process traces. */
export function traced<Result>(
  name: string,
  { kind, parent, ...attributes }: SpanAttributes & { kind: SpanKind; parent?: string },
  work: (span?: Span) => Promise<Result>,
): Promise<Result> {
  const span = beginSpan(name, kind, parent);
  if (!span) return work();
  span.set(attributes);
  return withinSpan(span, () => work(span))
    .catch((error: unknown) => {
      span.fail(error);
      throw error;
    })
    .finally(() => span.end());
}
