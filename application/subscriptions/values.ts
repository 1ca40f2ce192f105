export { CONSENT_TEXTS, CONSENT_VERSIONS, CURRENT_CONSENT } from '../../domain/subscriptions/withdrawal.js';

export const NAME_MAX_LENGTH = 200;
