import { addCaching } from './caching.js';

/** How the answers for staff are cached. Files that declare queries for staff import this file first. */
addCaching({
  'GET /api/admin/approvals': { pollMs: 10_000 },
  'GET /api/admin/complaints': { pollMs: 10_000 },
  'GET /api/admin/copies/counts': { pollMs: 10_000 },
  'GET /api/admin/people': { freshMs: 30_000, keepsPrevious: true },
  'GET /api/admin/people/:userId/sessions': { freshMs: 0 },

  'GET /api/finance/approvals': { freshMs: 5_000, pollMs: 10_000 },
  'GET /api/finance/approvals/:id': { freshMs: 5_000 },
  'GET /api/finance/checks': { freshMs: 60_000 },
  'GET /api/finance/creators': { keepsPrevious: true },
  'GET /api/finance/creators/:creatorId/statements/:id': { freshMs: 60_000 },
  'GET /api/finance/events': { freshMs: 5_000 },
  'GET /api/finance/exports': { freshMs: 5_000 },
  'GET /api/finance/find': { keepsPrevious: true },
  'GET /api/finance/people': { freshMs: 30_000 },
  'GET /api/finance/periods/:month/checklist': { freshMs: 0 },
  'GET /api/finance/proof/:userId': { freshMs: 5_000 },
  // The server adds up all books for this answer. The page therefore fetches it once, and then only on demand.
  'GET /api/finance/reconciliation': { freshMs: Number.POSITIVE_INFINITY },
  'GET /api/finance/reports/ageing': { keepsPrevious: true },
  'GET /api/finance/reports/statement': { keepsPrevious: true },
  'GET /api/finance/tax': { keepsPrevious: true },
  'GET /api/finance/trace/:id': { keepsPrevious: true },
  'GET /api/finance/vat/:quarter': { keepsPrevious: true },
  'GET /api/finance/reports/creator-taxes/:year': { keepsPrevious: true },
  'GET /api/finance/trial-balance': { keepsPrevious: true },
});
