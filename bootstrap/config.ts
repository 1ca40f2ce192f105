import * as z from 'zod';
import { DATABASE, databaseConfig } from './settings/postgres.js';
import { ConfigError } from './settings/fields.js';
import { KEYS, keysConfig } from './settings/keys.js';
import { MAIL, mailConfig } from './settings/mail.js';
import { MONITORING, monitoringConfig } from './settings/monitoring.js';
import { PAYMENTS, paymentsConfig } from './settings/payments.js';
import { PROCESS, processConfig } from './settings/process.js';
import { SERVING, servingConfig } from './settings/http.js';
import { GOOGLE, SESSIONS, signInConfig } from './settings/session.js';
import { STORAGE, storageConfig } from './settings/storage.js';

export { ConfigError };

export const SETTING_GROUPS = {
  Process: PROCESS,
  PostgreSQL: DATABASE,
  Storage: STORAGE,
  Payments: PAYMENTS,
  Mail: MAIL,
  Keys: KEYS,
  'Sign-in': { ...SESSIONS, ...GOOGLE },
  HTTP: SERVING,
  Monitoring: MONITORING,
};

const Environment = z.object({
  ...PROCESS,
  ...DATABASE,
  ...STORAGE,
  ...PAYMENTS,
  ...MAIL,
  ...KEYS,
  ...SESSIONS,
  ...GOOGLE,
  ...SERVING,
  ...MONITORING,
});

export const CONFIG = Symbol('CONFIG');

/** All settings from the environment. Each part has its own file in `settings/`. */
export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Configuration: ${lines.join('; ')}`);
  }
  const value = parsed.data;
  const base = processConfig(value, !value.DATABASE_URL);
  const config = {
    ...base,
    ...servingConfig(value, base.production),
    ...signInConfig(value, base.production),
    ...databaseConfig(value, base.production),
    ...storageConfig(value),
    ...paymentsConfig(value),
    ...mailConfig(value),
    ...keysConfig(value),
    ...monitoringConfig(value, base.production),
  };
  if (config.production) refuseEmbedded(config, value.PUBLIC_URL);
  return config;
}

/** @throws ConfigError if production would use embedded or simulated parts */
function refuseEmbedded({ databaseUrl, s3, stripe, smtpUrl }: Config, publicUrl: string | undefined): void {
  const needed = {
    DATABASE_URL: databaseUrl,
    S3_BUCKET: s3,
    STRIPE_SECRET_KEY: stripe,
    SMTP_URL: smtpUrl,
    PUBLIC_URL: publicUrl,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) throw new ConfigError(`Configuration: production needs ${missing.join(', ')}`);
}
