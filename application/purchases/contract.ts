import * as z from 'zod';
import { Id, IsoTime, exactText } from '../shared/contract.js';
export const DownloadGrant = z.object({ url: z.string(), filename: z.string(), expiresAt: IsoTime });
export const LeftOut = z
  .object({
    sampleId: Id,
    title: z.string(),
    what: z.enum(['sound', 'midi', 'stems']),
    reason: z.enum(['missing', 'taken-down', 'needs-studio']),
  })
  .meta({ id: 'LeftOut' });
export type LeftOut = z.infer<typeof LeftOut>;

const delivered = {
  download: DownloadGrant,
  certificateId: Id,
  /** Further files of the sample that the buyer may download now, one by one or in an archive. */
  attached: z.array(z.enum(['midi', 'stems'])).optional(),
  leftOut: z.array(LeftOut).optional(),
};

export const DownloadAnswer = z
  .object({ charged: z.int(), balance: z.int(), ...delivered })
  .meta({ id: 'DownloadAnswer' });
export type DownloadAnswer = z.infer<typeof DownloadAnswer>;

/** An archive with its address. Only the signed-in user can download it. */
export const ArchiveAnswer = z
  .object({
    id: Id,
    url: z.string(),
    filename: z.string(),
    sampleCount: z.int(),
    leftOut: z.array(LeftOut),
    expiresAt: IsoTime,
  })
  .meta({ id: 'ArchiveAnswer' });
export type ArchiveAnswer = z.infer<typeof ArchiveAnswer>;
export const ArchiveStatus = z
  .object({ status: z.enum(['waiting', 'sending', 'sent', 'broken']) })
  .meta({ id: 'ArchiveStatus' });
export type ArchiveStatus = z.infer<typeof ArchiveStatus>;

export const AttachedAnswer = z.object({ download: DownloadGrant }).meta({ id: 'AttachedAnswer' });
export const PackDownloadAnswer = z
  .object({
    charged: z.int(),
    balance: z.int(),
    items: z.array(z.object({ sampleId: Id, charged: z.int(), ...delivered })),
  })
  .meta({ id: 'PackDownloadAnswer' });

/** Has a limit, because users send certificates back for verification. */
const Said = exactText().max(1_000);
export const Certificate = z
  .object({
    id: Id,
    sample: z.strictObject({ id: Id, title: Said, pack: Said }),
    creator: z.strictObject({ id: Id, displayName: Said }),
    licensee: z.strictObject({ id: Id, displayName: Said }),
    licenceVersion: Said,
    /** Whether the creator allowed AI training when this was issued. Absent in licences before 1.1. */
    aiTraining: z.boolean().optional(),
    issuedAt: IsoTime,
    fileSha256: Said,
    /** The id of the key that signed the certificate. Absent for the first key. */
    keyId: Said.optional(),
    signature: Said,
  })
  .meta({ id: 'Certificate' });
export type Certificate = z.infer<typeof Certificate>;

export const CertificateVerdict = z.object({ valid: z.boolean(), reason: z.string() });
export type CertificateVerdict = z.infer<typeof CertificateVerdict>;
