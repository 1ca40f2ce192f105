import type { CREDIT_REASONS } from '../../../../application/credits/contract.js';

export const REASONS: Record<(typeof CREDIT_REASONS)[number], string> = {
  monthly_grant: 'Monthly Credits',
  download: 'Download',
  admin_adjustment: 'Admin Adjustment',
  refund: 'Refund',
  chargeback: 'Chargeback',
  promotion: 'Promotion',
};
