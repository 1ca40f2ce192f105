import * as z from 'zod';
import { LEGAL_DOCUMENTS } from '../../domain/legal/acceptance.js';
import { IsoTime, namedObject } from '../shared/contract.js';

/** The SHA-256 of a text, in hexadecimal digits. */
export const TextVersion = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'not a version')
  .meta({ examples: ['0'.repeat(64)] });

/** The versions that the caller has seen and accepts. */
export const AcceptedVersions = z.strictObject({
  terms: TextVersion.optional(),
  privacy: TextVersion.optional(),
});

export const LegalPage = namedObject('LegalPage', {
  document: z.enum(LEGAL_DOCUMENTS),
  title: z.string(),
  version: TextVersion,
  /** When the shop first used the version. */
  since: IsoTime,
  isCurrent: z.boolean(),
  /** The text as HTML. It contains no scripts, styles, forms or images. */
  html: z.string(),
  /** Every version that was in use, newest first. */
  versions: z.array(z.object({ version: TextVersion, since: IsoTime })),
});
export type LegalPage = z.infer<typeof LegalPage>;

export const PendingAcceptances = namedObject('PendingAcceptances', {
  /** The current versions that the caller has not accepted yet. */
  versions: AcceptedVersions,
});
