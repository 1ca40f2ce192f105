import type { Subscription } from '../../../application/subscriptions/contract.js';

/** Whether the visitor has a plan, paid or past due. */
export const isRunning = ({ status }: Subscription): boolean => status === 'active' || status === 'past_due';
