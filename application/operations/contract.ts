import * as z from 'zod';
import { exactText, IsoTime } from '../shared/contract.js';
import { CRASH_MESSAGE_MAX_LENGTH, CRASH_PATH_MAX_LENGTH, CRASH_STACK_MAX_LENGTH } from './values.js';

/** A page's report of an error of its own, so that the id that a visitor copies is in the log. */
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
export const ReadinessReport = z
  .object({
    ready: z.boolean(),
    database: Part,
    storage: Part,
    /** Absent where there is none. */
    replica: Part.optional(),
    /** Whether searches are answered from memory yet; absent where they never are. */
    search: z.enum(['building', 'ready']).optional(),
    /** Present where a newer version runs: this node serves nobody any more. */
    outdated: z.literal(true).optional(),
  })
  .meta({ id: 'ReadinessReport' });
export type ReadinessReport = z.infer<typeof ReadinessReport>;

const PublicKeyList = z.array(
  z.object({
    /** Null: the key of what names none. */
    id: z.string().nullable(),
    /** When it begins to sign. */
    from: IsoTime,
    withdrawn: z.boolean(),
    /** Ed25519: 32 bytes, base64url, as `x` of a JSON Web Key (RFC 8037). */
    x: z.string(),
  }),
);
/** The keys with which anybody can verify what this shop has signed, oldest first. */
export const PublicKeys = z
  .object({ certificates: PublicKeyList, logHeads: PublicKeyList })
  .meta({ id: 'PublicKeys' });
export type PublicKeys = z.infer<typeof PublicKeys>;
