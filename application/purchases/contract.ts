import * as z from 'zod';
import { Id, IsoTime, exactText, lineText } from '../shared/contract.js';
import { ARCHIVE_LIMIT, ZIP_LIMIT } from './values.js';

export const DownloadBody = z.strictObject({ sampleId: Id, expectedCredits: z.int().min(0).max(1_000) });
export const DownloadGrant = z.object({ url: z.string(), filename: z.string(), expiresAt: IsoTime });
/** Ids as repeated parameters or separated by commas, up to the length of an address. */
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
  /** The name of the pack or list that the samples belong to. It becomes the name of the archive. */
  name: lineText(200).min(1).optional(),
});
/** A part of a sample that an archive leaves out. */
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
  /** Files of the sample that the buyer may not download now. */
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
    /** The key that signed it; absent for the first key. */
    keyId: Said.optional(),
    signature: Said,
  })
  .meta({ id: 'Certificate' });
export type Certificate = z.infer<typeof Certificate>;

/** The public view of a certificate, for everyone who has its id. */
export const CertificateLookUp = z
  .object({ valid: z.boolean(), reason: z.string(), certificate: Certificate })
  .meta({ id: 'CertificateLookUp' });
export type CertificateLookUp = z.infer<typeof CertificateLookUp>;

export const CertificateVerdict = z.object({ valid: z.boolean(), reason: z.string() });
export type CertificateVerdict = z.infer<typeof CertificateVerdict>;
