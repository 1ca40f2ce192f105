import type { ExportFormat } from './contract.js';

export const EXPORT_TYPES = {
  hledger: { contentType: 'text/plain; charset=utf-8', extension: 'journal' },
  beancount: { contentType: 'text/plain; charset=utf-8', extension: 'beancount' },
  csv: { contentType: 'text/csv; charset=utf-8', extension: 'csv' },
  json: { contentType: 'application/json; charset=utf-8', extension: 'json' },
} as const satisfies Record<ExportFormat, { contentType: string; extension: string }>;
