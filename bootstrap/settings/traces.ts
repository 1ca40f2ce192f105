import * as z from 'zod';
import { url, type Values } from './fields.js';

/** Where traces are sent, under the names that OpenTelemetry gives to these settings. */
export const TRACES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_SERVICE_NAME: z.string().min(1).max(100).default('offcut'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

export interface TracesConfig {
  /** Absent: nothing is traced. */
  traces?: { url: string; service: string; ratio: number };
}

export function tracesConfig(value: Values<typeof TRACES>): TracesConfig {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = value;
  if (!endpoint) return {};
  return {
    traces: {
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      service: value.OTEL_SERVICE_NAME,
      ratio: value.OTEL_TRACES_SAMPLER_ARG,
    },
  };
}
