import * as z from 'zod';
import { ConfigError, type Values } from './fields.js';
import type { SERVING } from './http.js';

const HOUR_MS = 3_600_000;
const hours = (usual: number) => z.coerce.number().int().min(1).max(8_760).default(usual);

/** The length of sessions, second factors, and the visitor's country. */
export const SESSIONS = {
  SESSION_MAX_HOURS: hours(30 * 24).describe('How long a session lasts, in hours, even if it is renewed.'),
  SESSION_STAFF_MAX_HOURS: hours(12).describe('The same for accounts that have a role.'),
  STAFF_SECOND_FACTOR: z.enum(['required', 'offered']).optional().meta({
    description:
      '`required`: a role counts only in a session with a passkey or a code from an authenticator app. Passkeys need a host name in `PUBLIC_URL`, not an IP address.',
    computedDefault: '`offered`; `required` in production',
  }),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'the name of a header, such as CF-IPCountry')
    .optional()
    .describe(
      'The header in which your proxy sends the country of the visitor as two letters, such as `CF-IPCountry`. The list of sessions shows it. Needs `TRUST_PROXY`.',
    ),
};

export interface SessionsConfig {
  /** How long a session lasts, even if it is renewed. */
  sessions: { maxMs: number; staffMaxMs: number };
  /** Whether roles count only in sessions with a second factor. */
  staffNeedsSecondFactor: boolean;
  /** The header in which our proxy sends the visitor's country; its name is in lower case. */
  countryHeader?: string;
}

/** @throws ConfigError */
export function sessionsConfig(
  value: Values<typeof SESSIONS> & Pick<Values<typeof SERVING>, 'TRUST_PROXY'>,
  production: boolean,
): SessionsConfig {
  if (value.COUNTRY_HEADER && value.TRUST_PROXY === 0)
    throw new ConfigError('Configuration: COUNTRY_HEADER needs TRUST_PROXY, the proxy that sets it');
  return {
    sessions: {
      maxMs: value.SESSION_MAX_HOURS * HOUR_MS,
      staffMaxMs: value.SESSION_STAFF_MAX_HOURS * HOUR_MS,
    },
    staffNeedsSecondFactor:
      (value.STAFF_SECOND_FACTOR ?? (production ? 'required' : 'offered')) === 'required',
    countryHeader: value.COUNTRY_HEADER?.toLowerCase(),
  };
}
