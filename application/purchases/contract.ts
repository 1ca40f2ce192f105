import * as z from 'zod';
import { Id, IsoTime } from '../shared/contract.js';

/** How many samples one archive takes. */
export const ZIP_LIMIT = 200;

export const DownloadBody = z.strictObject({ sampleId: Id, expectedCredits: z.int().min(0).max(1_000) });
export const DownloadGrant = z.object({ url: z.string(), filename: z.string(), expiresAt: IsoTime });
export const DownloadAnswer = z
  .object({ charged: z.int(), balance: z.int(), download: DownloadGrant, certificateId: Id })
  .meta({ id: 'DownloadAnswer' });
export type DownloadAnswer = z.infer<typeof DownloadAnswer>;

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

/** Stems or MIDI of a sample that is owned. */
export const AttachedAnswer = z.object({ download: DownloadGrant }).meta({ id: 'AttachedAnswer' });
export type AttachedAnswer = z.infer<typeof AttachedAnswer>;

export const PackDownloadBody = z.strictObject({ expectedCredits: z.int().min(0).max(100_000) });
export const PackDownloadAnswer = z
  .object({
    charged: z.int(),
    balance: z.int(),
    items: z.array(z.object({ sampleId: Id, charged: z.int(), download: DownloadGrant, certificateId: Id })),
  })
  .meta({ id: 'PackDownloadAnswer' });

export const PurchaseBody = z.strictObject({
  buyerId: z.string().max(100),
  sampleId: z.string().max(2_000),
  creatorId: z.string().max(100),
  credits: z.int().min(0).max(1_000),
  currency: z.literal('usd'),
});
export const PurchaseAnswer = z.object({ success: z.literal(true) });

export const Certificate = z
  .object({
    id: Id,
    sample: z.object({ id: Id, title: z.string(), pack: z.string() }),
    creator: z.object({ id: Id, displayName: z.string() }),
    licensee: z.object({ id: Id, displayName: z.string() }),
    licenceVersion: z.string(),
    issuedAt: IsoTime,
    fileSha256: z.string(),
    signature: z.string(),
  })
  .meta({ id: 'Certificate' });
export type Certificate = z.infer<typeof Certificate>;

/** What anybody may read under an id that they were shown. */
export const CertificateLookUp = z
  .object({ valid: z.boolean(), reason: z.string(), certificate: Certificate })
  .meta({ id: 'CertificateLookUp' });
export type CertificateLookUp = z.infer<typeof CertificateLookUp>;

export const CertificateVerdict = z.object({ valid: z.boolean(), reason: z.string() });
export type CertificateVerdict = z.infer<typeof CertificateVerdict>;
