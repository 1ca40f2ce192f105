import * as z from 'zod';
import { exactText, IsoTime, namedObject } from '../shared/contract.js';
import { CRASH_MESSAGE_MAX_LENGTH, CRASH_PATH_MAX_LENGTH, CRASH_STACK_MAX_LENGTH } from './values.js';

/** An error of the web client. The server logs it with the error id that the visitor sees. */
export const CrashReport = z.strictObject({
  errorId: z
    .string()
    .regex(/^E-[0-9a-z]{4,20}$/)
    .meta({ examples: ['E-1a2b3c'] }),
  message: exactText().max(CRASH_MESSAGE_MAX_LENGTH),
  path: exactText().max(CRASH_PATH_MAX_LENGTH),
  stack: exactText().max(CRASH_STACK_MAX_LENGTH).optional(),
});
export type CrashReport = z.infer<typeof CrashReport>;

export const Health = z.object({ status: z.literal('ok') });

const Part = z.enum(['up', 'down']);
export const ReadinessReport = namedObject('ReadinessReport', {
  ready: z.boolean(),
  database: Part,
  storage: Part,
  /** Absent if no replica is configured. */
  replica: Part.optional(),
  /** Whether the search index is in memory. Absent in workers, which answer no searches. */
  search: z.enum(['building', 'ready']).optional(),
  /** Present if a newer version runs: this node then serves no requests. */
  outdated: z.literal(true).optional(),
});
export type ReadinessReport = z.infer<typeof ReadinessReport>;

const PublicKeyList = z.array(
  z.object({
    /** Null for the key of signatures that name no key. */
    id: z.string().nullable(),
    from: IsoTime,
    withdrawn: z.boolean(),
    /** Ed25519: 32 bytes, base64url, as `x` of a JSON Web Key (RFC 8037). */
    x: z.string(),
  }),
);
/** The public keys to verify everything that this shop has signed, oldest first. */
export const PublicKeys = namedObject('PublicKeys', { certificates: PublicKeyList, logHeads: PublicKeyList });
export type PublicKeys = z.infer<typeof PublicKeys>;
