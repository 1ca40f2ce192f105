export { CONSENT_TEXTS, CONSENT_VERSIONS } from '../../domain/subscriptions/withdrawal.js';

/** The version of the consent that new buyers give. */
export const CURRENT_CONSENT = '1';

export const NAME_MAX_LENGTH = 200;
