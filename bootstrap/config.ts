import * as z from 'zod';
import { DATABASE, databaseConfig, type DatabaseConfig } from './settings/postgres.js';
import { ConfigError } from './settings/fields.js';
import { GOOGLE, googleConfig, type GoogleConfig } from './settings/google.js';
import { KEYS, keysConfig, type KeysConfig } from './settings/keys.js';
import { MAIL, mailConfig, type MailConfig } from './settings/mail.js';
import { MONITORING, monitoringConfig, type MonitoringConfig } from './settings/monitoring.js';
import { PAYMENTS, paymentsConfig, type PaymentsConfig } from './settings/payments.js';
import { PROCESS, processConfig, type ProcessConfig } from './settings/process.js';
import { SERVING, servingConfig, type ServingConfig } from './settings/http.js';
import { SESSIONS, sessionsConfig, type SessionsConfig } from './settings/session.js';
import { STORAGE, storageConfig, type StorageConfig } from './settings/storage.js';

export { ConfigError };

/** All settings by subject, in the order of docs/configuration.md. */
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
export interface Config
  extends
    ProcessConfig,
    ServingConfig,
    SessionsConfig,
    DatabaseConfig,
    StorageConfig,
    PaymentsConfig,
    MailConfig,
    GoogleConfig,
    KeysConfig,
    MonitoringConfig {}

/** @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>): Config {
  // As in compose files, an empty variable means "not set".
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
    ...sessionsConfig(value, base.production),
    ...databaseConfig(value, base.production),
    ...storageConfig(value),
    ...paymentsConfig(value),
    ...mailConfig(value),
    ...googleConfig(value),
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
