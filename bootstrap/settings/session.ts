import * as z from 'zod';
import { ConfigError, givenTogether, int, timeout, url, type Values } from './fields.js';
import type { SERVING } from './http.js';

const HOUR_MS = 3_600_000;
const hours = (usual: number) => int(1, 8_760).default(usual);

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

export const GOOGLE = {
  GOOGLE_CLIENT_ID: z
    .string()
    .optional()
    .describe(
      'The OAuth client of “Continue with Google”. Google returns to `/api/auth/google/callback`. Turn on “Session age claims” for the client, so that a fresh sign-in is counted from the sign-in at Google.',
    ),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe('The secret of that client.'),
  GOOGLE_AUTH_URL: url.optional().describe('Another authorisation endpoint, for tests.'),
  GOOGLE_TOKEN_URL: url.optional().describe('Another token endpoint, for tests.'),
  GOOGLE_USERINFO_URL: url.optional().describe('Another user info endpoint, for tests.'),
  GOOGLE_TIMEOUT_MS: timeout(10_000).describe('How long a sign-in waits for Google, in milliseconds.'),
};

export function signInConfig(
  value: Values<typeof SESSIONS> & Values<typeof GOOGLE> & Pick<Values<typeof SERVING>, 'TRUST_PROXY'>,
  production: boolean,
) {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = value;
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
    /** Undefined: sign-in with Google is off. */
    google: givenTogether({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET })
      ? {
          clientId: GOOGLE_CLIENT_ID as string,
          clientSecret: GOOGLE_CLIENT_SECRET as string,
          authUrl: value.GOOGLE_AUTH_URL,
          tokenUrl: value.GOOGLE_TOKEN_URL,
          userinfoUrl: value.GOOGLE_USERINFO_URL,
          timeoutMs: value.GOOGLE_TIMEOUT_MS,
        }
      : undefined,
  };
}
