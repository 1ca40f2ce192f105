import { endpoint, text } from '../shared/endpoint.js';
import { CrashReport, Health, PublicKeys, ReadinessReport } from './contract.js';

const open = { tag: 'Operations', access: 'public' } as const;

export const readHealth = endpoint('GET /healthz', {
  ...open,
  summary: 'Whether this node runs',
  answers: { 200: Health },
});

export const readReadiness = endpoint('GET /readyz', {
  ...open,
  summary: 'Whether this node can serve visitors, and which parts answer',
  answers: { 200: ReadinessReport },
});

export const readMetrics = endpoint('GET /metrics', {
  ...open,
  summary: 'Figures for Prometheus; in production by the token of monitoring, or at a port of their own',
  answers: { 200: text('text/plain; version=0.0.4; charset=utf-8') },
  problems: ['NotFound', 'NotSignedIn'],
});

export const reportCrash = endpoint('POST /api/crashes', {
  ...open,
  summary: 'Writes a fault of a page into the log',
  body: CrashReport,
  answers: { 204: null },
  rateLimit: 'crash',
});

export const readPublicKeys = endpoint('GET /.well-known/offcut-keys.json', {
  ...open,
  summary: 'The public keys of certificates and of the heads of the log',
  answers: { 200: PublicKeys },
});
