import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Span, Tracer } from './tracing.js';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
/** Limit of spans that wait for a slow or absent receiver. Further spans are dropped. */
const WAITING_SPANS = 4_096;
const SENT_TOGETHER = 512;
const SENT_EVERY_MS = 1_000;
const PATIENCE_MS = 5_000;
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Creates spans with OpenTelemetry and sends them as OTLP over HTTP. Without a receiver, only spans are lost.
 * @param settings.ratio the fraction of traces that is kept, 0 to 1. The decision of a remote parent takes precedence.
 */
export function openTelemetry({
  url,
  service,
  ratio,
}: {
  url: string;
  service: string;
  ratio: number;
}): Tracer {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: PATIENCE_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: WAITING_SPANS,
        maxExportBatchSize: SENT_TOGETHER,
        scheduledDelayMillis: SENT_EVERY_MS,
        exportTimeoutMillis: PATIENCE_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('offcut');
  const contexts = new WeakMap<Span, Context>();
  const contextOf = (parent: Span | string | undefined): Context => {
    if (typeof parent !== 'string') return (parent && contexts.get(parent)) ?? ROOT_CONTEXT;
    const [, traceId, spanId, flags] = TRACE_PARENT.exec(parent) ?? [];
    if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
    const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
    return trace.setSpanContext(ROOT_CONTEXT, remote);
  };
  return {
    begin(name, kind, parent) {
      const context = contextOf(parent);
      const begun = tracer.startSpan(name, { kind: KINDS[kind] }, context);
      const { traceId, spanId, traceFlags } = begun.spanContext();
      const span: Span = {
        traceParent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        isKept: (traceFlags & TraceFlags.SAMPLED) !== 0,
        rename: (other) => void begun.updateName(other),
        set: (attributes) => void begun.setAttributes(attributes),
        // Send only the error's name, because its message may quote what a client sent.
        fail: (error) => void begun.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name }),
        end: () => begun.end(),
      };
      contexts.set(span, trace.setSpan(context, begun));
      return span;
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}
