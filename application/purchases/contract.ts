import * as z from 'zod';
import { Id, IsoTime, exactText, lineText } from '../shared/contract.js';
import { ARCHIVE_LIMIT, ZIP_LIMIT } from './values.js';

export const DownloadBody = z.strictObject({ sampleId: Id, expectedCredits: z.int().min(0).max(1_000) });
export const DownloadGrant = z.object({ url: z.string(), filename: z.string(), expiresAt: IsoTime });
/** Ids repeated or with commas; as many as an address can name. */
export const ZipQuery = z.object({
  ids: z.preprocess(
    (value) =>
      (Array.isArray(value) ? value : [value])
        .flatMap((part) => String(part ?? '').split(','))
        .filter(Boolean),
    z.array(Id).min(1).max(ZIP_LIMIT),
  ),
});

export const ArchiveBody = z.strictObject({
  sampleIds: z.array(Id).min(1).max(ARCHIVE_LIMIT),
  /** The pack or list that the samples belong to: the archive gets its name. */
  name: lineText(200).min(1).optional(),
});
/** A part of a sample that an archive cannot hold. */
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
  /** Further files of the sample that the buyer may fetch now: by themselves, or all in one archive. */
  attached: z.array(z.enum(['midi', 'stems'])).optional(),
  /** Files of the sample that the buyer may not fetch now. */
  leftOut: z.array(LeftOut).optional(),
};

export const DownloadAnswer = z
  .object({ charged: z.int(), balance: z.int(), ...delivered })
  .meta({ id: 'DownloadAnswer' });
export type DownloadAnswer = z.infer<typeof DownloadAnswer>;

/** The address at which the user's own browser fetches the archive, while signed in. */
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

/** Stems or MIDI of a sample that is owned. */
export const AttachedAnswer = z.object({ download: DownloadGrant }).meta({ id: 'AttachedAnswer' });
export type AttachedAnswer = z.infer<typeof AttachedAnswer>;

export const PackDownloadBody = z.strictObject({ expectedCredits: z.int().min(0).max(100_000) });
export const PackDownloadAnswer = z
  .object({
    charged: z.int(),
    balance: z.int(),
    items: z.array(z.object({ sampleId: Id, charged: z.int(), ...delivered })),
  })
  .meta({ id: 'PackDownloadAnswer' });

export const PurchaseBody = z.strictObject({
  buyerId: exactText().max(100),
  sampleId: exactText().max(2_000),
  creatorId: exactText().max(100),
  credits: z.int().min(0).max(1_000),
  currency: z.literal('usd'),
});
export const PurchaseAnswer = z.object({ success: z.literal(true) });

/** What is certified comes back to be verified. */
const Said = exactText().max(1_000);
export const Certificate = z
  .object({
    id: Id,
    sample: z.strictObject({ id: Id, title: Said, pack: Said }),
    creator: z.strictObject({ id: Id, displayName: Said }),
    licensee: z.strictObject({ id: Id, displayName: Said }),
    licenceVersion: Said,
    /** Whether the creator allowed to train models with it when this was issued; licences before 1.1 do not say. */
    aiTraining: z.boolean().optional(),
    issuedAt: IsoTime,
    fileSha256: Said,
    /** The key that signed it; absent: the first one. */
    keyId: Said.optional(),
    signature: Said,
  })
  .meta({ id: 'Certificate' });
export type Certificate = z.infer<typeof Certificate>;

/** What anybody with the id may read. */
export const CertificateLookUp = z
  .object({ valid: z.boolean(), reason: z.string(), certificate: Certificate })
  .meta({ id: 'CertificateLookUp' });
export type CertificateLookUp = z.infer<typeof CertificateLookUp>;

export const CertificateVerdict = z.object({ valid: z.boolean(), reason: z.string() });
export type CertificateVerdict = z.infer<typeof CertificateVerdict>;
