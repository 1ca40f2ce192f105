import { expect, it } from '@jest/globals';
import { ENDPOINTS } from '../../application/all-endpoints.js';

/** Tags of endpoints that move money or credits, or approve such a movement. */
const MONEY = new Set(['Administration', 'Finance', 'Downloads', 'Plans', 'Payments']);
const MORE = ['POST /api/creator/withdrawals'];

/** Endpoints that move no money, or move it once per subject, so that a repetition has no effect. */
const REPEATABLE = [
  // Once per defect, takedown or month.
  'POST /api/admin/defects',
  'POST /api/admin/takedowns',
  'POST /api/finance/periods/:month/close',
  // Once per invoice.
  'POST /api/withdrawals',
  // Once per event of the provider.
  'POST /api/stripe/webhook',
  // Opens a page of the provider, where money moves only after the payer confirms.
  'POST /api/stripe/create-checkout-session',
  'POST /api/subscription/payment-details',
  'POST /api/subscription/pending/pay',
  // Moves no money.
  'DELETE /api/finance/exports/:id',
  'POST /api/finance/alerts/:key/seen',
  'POST /api/finance/alerts/seen',
  'POST /api/finance/exports',
  'POST /api/finance/missing-facts/certificates',
  'POST /api/finance/open-items/notes',
  'POST /api/finance/periods/:month/sign',
  'POST /api/finance/reports/creator-taxes/:year/ask',
  'POST /api/finance/stripe-report',
  'POST /api/me/contracts/consent',
  'PUT /api/finance/account-map',
  'PUT /api/finance/materiality',
  'PUT /api/finance/vat/:quarter/rate',
];
const NO_MONEY =
  /^[A-Z]+ \/api\/(admin\/(complaints|copies|creator-applications|creators|featured-collections|jobs|mails|people|projections|reports|samples|sounds|collections|parked|staff\/\w*$)|library|downloads\/\w+\/)/;

it('[FIN-108] whatever moves money needs an idempotency key, or says why a repetition is harmless', () => {
  const changing = ENDPOINTS.filter(({ method }) => method !== 'GET').filter(
    ({ tag, key }) => (MONEY.has(tag) && !NO_MONEY.test(key)) || MORE.includes(key),
  );
  const unkeyed = changing.filter(({ idempotent }) => !idempotent).map(({ key }) => key);
  expect(unkeyed.toSorted()).toEqual(REPEATABLE.toSorted());
  expect(changing.length - unkeyed.length).toBeGreaterThan(15);
});
