import type { Database } from '../adapters/platform/database/database.js';
import { ConfigError, type Config } from './config.js';
import { DEMO_DOMAIN } from '../demo/seed/domain.js';

/** Public secrets, which production refuses: from our compose file, from common examples, and from the simulator. */
const KNOWN_SECRETS = new Set(
  'offcut offcut-secret sk_test_simulator whsec_simulator minio minio123 minioadmin postgres password secret changeme'.split(
    ' ',
  ),
);

export function refuseTrialSettings(config: Config): void {
  const { publicUrl, databaseUrl, databaseDirectUrl, databaseReplicaUrl, s3, stripe, google } = config;
  if (!publicUrl.startsWith('https:'))
    throw new ConfigError('Configuration: production needs a PUBLIC_URL that begins with https://');
  const { certificates, 'log-heads': heads } = config.signingKeys;
  if (certificates.length === 0 || heads.length === 0)
    throw new ConfigError(
      'Configuration: production needs KEYS_FILE or KEYS, so that access to the database is not enough to sign; `offcut keys new --into <file>` creates them',
    );
  const secrets = {
    DATABASE_URL: passwordIn(databaseUrl),
    DATABASE_DIRECT_URL: passwordIn(databaseDirectUrl),
    DATABASE_REPLICA_URL: passwordIn(databaseReplicaUrl),
    S3_SECRET_ACCESS_KEY: s3?.credentials?.secretAccessKey,
    STRIPE_SECRET_KEY: stripe?.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe?.webhookSecret,
    GOOGLE_CLIENT_SECRET: google?.clientSecret,
    SMTP_URL: passwordIn(config.smtpUrl),
  };
  const known = Object.entries(secrets)
    .filter(([, secret]) => secret?.split(',').some((one) => KNOWN_SECRETS.has(one.trim().toLowerCase())))
    .map(([name]) => name);
  if (known.length > 0)
    throw new ConfigError(
      `Configuration: production needs secrets that are not public in ${known.join(', ')}`,
    );
}

const LOOPBACK = /^(?:127[.]|localhost$|::1$)/;

export function shownByTrial({ production, serving, demoContent, smtpUrl }: Config): string | undefined {
  if (production || LOOPBACK.test(serving.host)) return undefined;
  const shown = [
    ...(demoContent ? ['demo accounts with a public password'] : []),
    ...(smtpUrl ? [] : ['every mail at /dev/mailbox']),
  ];
  if (shown.length === 0) return undefined;
  return `HOST is ${serving.host}, so this port exposes ${shown.join(' and ')}`;
}

const passwordIn = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : decodeURIComponent(new URL(url).password);

/** Refuses a database with demo people, because their password is public. @throws ConfigError */
export async function refuseDemoPeople(database: Database): Promise<void> {
  const rows = await database.db
    .selectFrom('user_account')
    .select('email')
    .where(({ eb, fn }) => eb(fn<string>('lower', ['email']), 'like', `%@${DEMO_DOMAIN}`))
    .where('erased_at', 'is', null)
    .orderBy('email')
    .limit(3)
    .execute();
  if (rows.length > 0)
    throw new ConfigError(
      `Configuration: this database holds demo people (${rows.map(({ email }) => email).join(', ')}), whose password everybody knows; start production on another one in DATABASE_URL`,
    );
}
