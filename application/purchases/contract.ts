import * as z from 'zod';
import { ORIGINS } from '../../domain/shared/origin.js';
import { Id, IsoTime, exactText, lineText, namedObject } from '../shared/contract.js';
import { projectFields } from '../library/contract.js';
import { COMPARED_BARS, COMPARED_LIMIT_MS, COMPARED_NAME_MAX_LENGTH, DAW_FORMATS } from './values.js';

export const DownloadGrant = z.object({ url: z.string(), filename: z.string(), expiresAt: IsoTime });
export const LeftOut = namedObject('LeftOut', {
  sampleId: Id,
  title: z.string(),
  what: z.enum(['sound', 'midi', 'stems']),
  reason: z.enum(['missing', 'taken-down', 'needs-studio']),
});
export type LeftOut = z.infer<typeof LeftOut>;

const delivered = {
  download: DownloadGrant,
  certificateId: Id,
  /** Files besides the original that the buyer may download now, alone or in an archive. */
  attached: z.array(z.enum(['midi', 'stems'])).optional(),
  leftOut: z.array(LeftOut).optional(),
};

export const DownloadAnswer = namedObject('DownloadAnswer', {
  charged: z.int(),
  balance: z.int(),
  ...delivered,
});
export type DownloadAnswer = z.infer<typeof DownloadAnswer>;

/** A project of a DAW, in which the samples of an archive are adapted to a tempo and key. */
export const DawProject = z.strictObject({
  format: z.enum(DAW_FORMATS),
  tempo: projectFields.tempo.optional().describe('By default that of the first sample that has one'),
  key: projectFields.key.default(null),
  timeSignature: projectFields.timeSignature.default('4/4'),
});
export type DawProject = z.infer<typeof DawProject>;

/** An archive that the signed-in user can download at `url`. */
export const ArchiveAnswer = namedObject('ArchiveAnswer', {
  id: Id,
  url: z.string(),
  filename: z.string(),
  sampleCount: z.int(),
  leftOut: z.array(LeftOut),
  expiresAt: IsoTime,
});
export type ArchiveAnswer = z.infer<typeof ArchiveAnswer>;
export const ArchiveStatus = namedObject('ArchiveStatus', {
  status: z.enum(['waiting', 'sending', 'sent', 'broken']),
});
export type ArchiveStatus = z.infer<typeof ArchiveStatus>;

export const AttachedAnswer = namedObject('AttachedAnswer', { download: DownloadGrant });
export const PackDownloadAnswer = namedObject('PackDownloadAnswer', {
  charged: z.int(),
  balance: z.int(),
  items: z.array(z.object({ sampleId: Id, charged: z.int(), ...delivered })),
});

export type PackDownloadAnswer = z.infer<typeof PackDownloadAnswer>;

/** Text in a certificate. Its length is limited, because anyone can send a certificate back for verification. */
const Said = exactText().max(1_000);
export const Certificate = namedObject('Certificate', {
  id: Id,
  sample: z.strictObject({ id: Id, title: Said, pack: Said }),
  creator: z.strictObject({ id: Id, displayName: Said }),
  licensee: z.strictObject({ id: Id, displayName: Said }),
  licenceVersion: Said,
  /** Whether the creator allowed AI training when the certificate was issued. Absent before licence 1.1. */
  aiTraining: z.boolean().optional(),
  /** How the sound was made, as its creator stated it when the certificate was issued. Absent if not stated. */
  origin: z.enum(ORIGINS).optional(),
  issuedAt: IsoTime,
  fileSha256: Said,
  /** The id of the key that signed the certificate. Absent for the first key. */
  keyId: Said.optional(),
  signature: Said,
});
export type Certificate = z.infer<typeof Certificate>;

/** A file that was made from the certified original, such as a copy with tags. */
export const CertifiedCopy = z.object({ sha256: z.string(), sizeBytes: z.int(), madeAt: IsoTime });
export type CertifiedCopy = z.infer<typeof CertifiedCopy>;

export const CertificateVerdict = z.object({ valid: z.boolean(), reason: z.string() });
export type CertificateVerdict = z.infer<typeof CertificateVerdict>;

/** The waveform of a file, such as a disputed upload, as the browser of the licensee measured it. */
export const ComparedFile = z.strictObject({
  name: lineText(COMPARED_NAME_MAX_LENGTH).min(1),
  durationMs: z.int().min(1).max(COMPARED_LIMIT_MS),
  /** Levels from 0 to 100 over the whole file. */
  bars: z.array(z.int().min(0).max(100)).min(COMPARED_BARS.min).max(COMPARED_BARS.max),
});
export type ComparedFile = z.infer<typeof ComparedFile>;
