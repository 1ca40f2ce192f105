import { endpointsOf, text } from '../shared/endpoint.js';
import { CrashReport, Health, PublicKeys, ReadinessReport } from './contract.js';

const open = endpointsOf({ tag: 'Operations', access: 'public' });

export const readHealth = open('GET /healthz', {
  summary: 'Tells whether this node runs',
  answers: { 200: Health },
});

export const readReadiness = open('GET /readyz', {
  summary: 'Tells whether this node can serve visitors, and which parts answer',
  answers: { 200: ReadinessReport },
});

export const readMetrics = open('GET /metrics', {
  summary:
    'Returns figures for Prometheus; in production by the token of monitoring, or at a port of their own',
  answers: { 200: text('text/plain; version=0.0.4; charset=utf-8') },
  problems: ['NotFound', 'NotSignedIn'],
});

export const reportCrash = open('POST /api/crashes', {
  summary: 'Writes a fault of a page into the log',
  body: CrashReport,
  answers: { 204: null },
  rateLimit: 'crash',
});

export const readPublicKeys = open('GET /.well-known/offcut-keys.json', {
  summary: 'Returns the public keys of certificates and of the heads of the log',
  answers: { 200: PublicKeys },
});
