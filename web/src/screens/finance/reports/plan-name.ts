import type { Margin } from '../../../../../application/ledger/reports/margin-contract.js';

const NAMES: Record<Margin['plan'], string> = {
  starter: 'Starter',
  premium: 'Premium',
  studio: 'Studio',
  given: 'Given away',
  none: 'No plan',
};

export const planName = (plan: Margin['plan']): string => NAMES[plan];
