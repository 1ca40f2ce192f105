import * as z from 'zod';
import { int, url, type Values } from './fields.js';

export const MONITORING = {
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]{16,200}$/, '16 to 200 letters, digits or ._~+/=-')
    .optional()
    .describe(
      'The token for `/metrics`, sent as `Authorization: Bearer`. Production answers `/metrics` only with a token or at `METRICS_PORT`.',
    ),
  METRICS_PORT: int(1, 65_535)
    .optional()
    .describe('A separate port on `HOST` that answers `/metrics` without a token.'),
  ACCESS_LOG: z.enum(['on', 'errors', 'off']).optional().meta({
    description:
      'Writes a line of JSON for each request, or with `errors` for each answer of 400 and above: id, route, status, duration, length, and a pseudonym of the caller that changes each month. It contains no address and nothing that the client sent.',
    computedDefault: 'off; on in production',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional().meta({
    description:
      'Sends traces of requests, commands, statements, jobs and outgoing calls to `/v1/traces` below this address, as OTLP over HTTP. `OTEL_EXPORTER_OTLP_HEADERS` is sent with them.',
    computedDefault: 'no traces',
  }),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .max(100)
    .default('offcut')
    .describe('The name of the service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The part of traces that is kept, from 0 to 1.'),
};

export const monitoringConfig = (value: Values<typeof MONITORING>, production: boolean) => ({
  metrics: {
    ...(value.METRICS_TOKEN && { token: value.METRICS_TOKEN }),
    ...(value.METRICS_PORT && { port: value.METRICS_PORT }),
    isOpen: !production,
  },
  accessLog: value.ACCESS_LOG ?? (production ? ('on' as const) : ('off' as const)),
  /** Undefined: no traces. */
  traces: value.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        url: `${value.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
        service: value.OTEL_SERVICE_NAME,
        ratio: value.OTEL_TRACES_SAMPLER_ARG,
      }
    : undefined,
});
