import { resolve } from 'node:path';
import * as z from 'zod';
import { ORIGINS } from '../../domain/shared/origin.js';
import { flag, int, type Values } from './fields.js';

const WORK_KINDS = ['mail', 'sweep', 'nightly', 'encode', 'sound', 'export'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export const PROCESS = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe(
      '`production` refuses to start with embedded or simulated parts, without TLS, with demo accounts, or with secrets from examples.',
    ),
  ROLE: z
    .enum(['all', 'api', 'worker'])
    .default('all')
    .describe('`api` answers requests, `worker` follows the event log and does jobs, `all` does both.'),
  WORK_KINDS: z
    .string()
    .default(WORK_KINDS.join())
    .transform((text) => text.split(',').map((kind) => kind.trim()))
    .pipe(z.array(z.enum(WORK_KINDS)))
    .describe(
      'The kinds of jobs that a worker does. Every kind needs a worker. See [Scale](scaling.md#workers-and-jobs).',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path))
    .describe('The folder of the embedded database and the stored files.'),
  PLAYLIST_URL: z
    .url({ protocol: /^https$/ })
    .optional()
    .meta({
      description:
        'A playlist of records made from samples of this shop, for the streaming button of the home page.',
      computedDefault: 'a search',
    }),
  AUTO_APPROVE_CREATORS: flag.optional().meta({
    description: 'Approves every application of a creator at once.',
    computedDefault: 'on; off in production',
  }),
  REFUSED_ORIGINS: z
    .string()
    .default('ai-generated')
    .transform((text) =>
      text
        .split(',')
        .map((origin) => origin.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.enum(ORIGINS)))
    .describe(
      `Sounds of these origins are not accepted, in drafts and on sale: a list of ${ORIGINS.map((origin) => `\`${origin}\``).join(', ')}; empty to accept all.`,
    ),
  REQUIRE_ORIGIN: flag
    .default(true)
    .describe(
      'A pack goes on sale only if its creator states how each sample was made. Imports by the operator are exempt.',
    ),
  LEGAL_DIR: z
    .string()
    .min(1)
    .optional()
    .transform((path) => path && resolve(path))
    .meta({
      description:
        'The folder of the legal texts in Markdown: `imprint.md`, `terms.md`, `privacy.md`, `licence.md`, `accessibility.md` and `complaints.md`. See [Legal texts](operations.md#legal-texts).',
      computedDefault: 'templates',
    }),
  FIRST_CREDITS: int(0, 100).optional().meta({
    description:
      'Promotional credits for each person who confirms an e-mail address for the first time. They have no value in the books.',
    computedDefault: '0; 3 with demo content',
  }),
  COPY_CHECK_WAIT_MS: int(0, 60_000)
    .default(10_000)
    .describe(
      'How long publishing waits for new sounds to be compared with those of other creators, in milliseconds. A match that is found later is held then.',
    ),
  DEMO_CONTENT: flag.optional().meta({
    description: 'Creates creators, packs and accounts to try on the first start. Never in production.',
    computedDefault: 'on with the embedded database',
  }),
};

export function processConfig(value: Values<typeof PROCESS>, embedded: boolean) {
  const production = value.NODE_ENV === 'production';
  const demoContent = production ? false : (value.DEMO_CONTENT ?? embedded);
  return {
    production,
    role: value.ROLE,
    workKinds: value.WORK_KINDS,
    dataDir: value.DATA_DIR,
    playlistUrl: value.PLAYLIST_URL,
    autoApproveCreators: value.AUTO_APPROVE_CREATORS ?? !production,
    legalDir: value.LEGAL_DIR,
    refusedOrigins: value.REFUSED_ORIGINS,
    requiresOrigin: value.REQUIRE_ORIGIN,
    copyCheckWaitMs: value.COPY_CHECK_WAIT_MS,
    demoContent,
    firstCredits: value.FIRST_CREDITS ?? (demoContent ? 3 : 0),
    // Workers answer no searches.
    searchIndex: value.ROLE !== 'worker',
  };
}
