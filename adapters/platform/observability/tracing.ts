import { AsyncLocalStorage } from 'node:async_hooks';

/** Attributes of a span: names, counts and codes. They must never contain a user or data that a client sent. */
export type SpanAttributes = Record<string, string | number | boolean>;

export interface Span {
  /** W3C `traceparent`, for continuing this trace in another process. */
  readonly traceParent: string;
  readonly isKept: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  fail(error: unknown): void;
  end(): void;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

export interface Tracer {
  /** @param parent a span of this process, or the `traceparent` of another process */
  begin(name: string, kind: SpanKind, parent: Span | string | undefined): Span;
  /** Sends the remaining spans; never fails. */
  close(): Promise<void>;
}

const current = new AsyncLocalStorage<Span>();
let tracer: Tracer | undefined;

export function traceWith(used: Tracer | undefined): void {
  tracer = used;
}

export const isTracing = (): boolean => tracer !== undefined;

export const isWithinSpan = (): boolean => current.getStore() !== undefined;

/** Returns the `traceparent` for work that continues in another process. */
export const traceParent = (): string | undefined => current.getStore()?.traceParent;

/** Like `traceParent`, but only for sampled traces, because events store the result for good. */
export function keptTraceParent(): string | undefined {
  const span = current.getStore();
  return span?.isKept ? span.traceParent : undefined;
}

/** Returns a span, which the caller must end; undefined if this process does not trace. */
export const beginSpan = (name: string, kind: SpanKind, parent?: string): Span | undefined =>
  tracer?.begin(name, kind, parent ?? current.getStore());

export const withinSpan = <Result>(span: Span, work: () => Result): Result => current.run(span, work);

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
