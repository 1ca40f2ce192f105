import * as z from 'zod';
import { givenTogether, timeout, url, type Values } from './fields.js';

/** "Continue with Google". */
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

export interface GoogleConfig {
  /** Absent: sign-in with Google is off. */
  google?: {
    clientId: string;
    clientSecret: string;
    authUrl?: string;
    tokenUrl?: string;
    userinfoUrl?: string;
    /** How long a sign-in waits for Google. */
    timeoutMs: number;
  };
}

/** @throws ConfigError */
export function googleConfig(value: Values<typeof GOOGLE>): GoogleConfig {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = value;
  if (!givenTogether({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET })) return {};
  return {
    google: {
      clientId: GOOGLE_CLIENT_ID as string,
      clientSecret: GOOGLE_CLIENT_SECRET as string,
      authUrl: value.GOOGLE_AUTH_URL,
      tokenUrl: value.GOOGLE_TOKEN_URL,
      userinfoUrl: value.GOOGLE_USERINFO_URL,
      timeoutMs: value.GOOGLE_TIMEOUT_MS,
    },
  };
}
