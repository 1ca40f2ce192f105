import { YesNo } from '../catalogue/contract.js';
import { PROJECT_TEMPO_MAX, PROJECT_TEMPO_MIN } from '../catalogue/values.js';
import { DAW_FORMATS, ZIP_LIMIT, ARCHIVE_LIMIT } from './values.js';
import * as z from 'zod';
import { endpoint, endpointsOf, sent, text } from '../shared/endpoint.js';
import { Id, lineText, exactText, namedObject } from '../shared/contract.js';
import * as contract from './contract.js';

const buying = endpointsOf({ tag: 'Downloads', access: 'user', idempotent: true, inTime: true });

const REFUSALS = [
  'InsufficientCredits',
  'PriceChanged',
  'SampleNotAvailable',
  'Gone',
  'DownloadUnavailable',
  'NotPurchased',
  'PaymentDisputed',
  'DeliveryConsentNeeded',
] as const;

export const downloadSample = buying('POST /api/downloads', {
  summary: 'Buys a sample (201), or delivers an owned one again (200)',
  body: z.strictObject({ sampleId: Id, expectedCredits: z.int().min(0).max(1_000) }),
  answers: { 200: contract.DownloadAnswer, 201: contract.DownloadAnswer },
  status: 201,
  problems: REFUSALS,
});

export const downloadPack = buying('POST /api/packs/:id/downloads', {
  summary: 'Buys every sample of a pack that is not owned yet, all or nothing',
  params: { id: Id },
  body: z.strictObject({ expectedCredits: z.int().min(0).max(100_000) }),
  answers: { 200: contract.PackDownloadAnswer, 201: contract.PackDownloadAnswer },
  status: 201,
  problems: [...REFUSALS, 'NotFound'],
});

export const downloadSamples = buying('POST /api/samples/downloads', {
  summary: 'Buys every named sample that is not owned yet, all or nothing',
  body: z.strictObject({
    sampleIds: z
      .array(Id)
      .min(1)
      .max(ARCHIVE_LIMIT)
      .refine((ids) => new Set(ids).size === ids.length, 'one sample twice'),
    expectedCredits: z.int().min(0).max(100_000),
  }),
  answers: { 200: contract.PackDownloadAnswer, 201: contract.PackDownloadAnswer },
  status: 201,
  problems: REFUSALS,
});

export const purchaseSample = buying('POST /api/credits/purchase', {
  summary: 'Buys a sample, for earlier clients. Buyer, creator and price in the body are verified',
  deprecated: true,
  body: z.strictObject({
    buyerId: exactText().max(100),
    sampleId: exactText().max(2_000),
    creatorId: exactText().max(100),
    credits: z.int().min(0).max(1_000),
    currency: z.literal('usd'),
  }),
  answers: { 200: z.object({ success: z.literal(true) }) },
  problems: [...REFUSALS, 'BuyerMismatch', 'CreatorMismatch'],
});

const own = endpointsOf({ tag: 'Downloads', access: 'user' });
/** A download of owned samples runs as a purchase for 0 credits, so its refusals are those of a purchase. */
const MISSING = [...REFUSALS, 'SampleNotOwned'] as const;
/** Projects are sent as `octet-stream`, because browsers unpack or rename what is sent as a ZIP archive. */
const ARCHIVE = sent('application/zip', 'application/octet-stream');

export const downloadZip = own('GET /api/library/downloads.zip', {
  scope: 'library:download',
  rateLimit: 'archive',
  summary: 'Returns owned samples as an archive',
  /** Sample ids, as repeated parameters or separated by commas; at most as many as fit into an address. */
  query: z.object({
    ids: z.preprocess(
      (value) =>
        (Array.isArray(value) ? value : [value])
          .flatMap((part) => String(part ?? '').split(','))
          .filter(Boolean),
      z.array(Id).min(1).max(ZIP_LIMIT),
    ),
  }),
  answers: { 200: sent('application/zip') },
  problems: MISSING,
});

export const issueArchive = own('POST /api/library/archives', {
  scope: 'library:download',
  rateLimit: 'archive',
  summary: 'Prepares an archive of owned samples, and lists what it leaves out',
  body: z.strictObject({
    sampleIds: z.array(Id).min(1).max(ARCHIVE_LIMIT),
    /** The archive's name: that of the pack or list from which the samples come. */
    name: lineText(200).min(1).optional(),
    /** Makes the archive a project of a DAW, in which each sample is a track. */
    project: contract.DawProject.optional(),
  }),
  answers: { 201: contract.ArchiveAnswer },
  problems: MISSING,
});

export const downloadArchive = own('GET /api/library/archives/:id.zip', {
  scope: 'library:download',
  rateLimit: 'archive',
  summary: 'Returns an archive that was prepared, as files or as a project of a DAW',
  params: { id: Id },
  query: z
    .object({
      ...contract.DawProject.shape,
      tempo: z.coerce.number().min(PROJECT_TEMPO_MIN).max(PROJECT_TEMPO_MAX),
    })
    .partial(),
  answers: { 200: ARCHIVE },
  problems: [...MISSING, 'NotFound'],
});

export const exportWorkbench = own('GET /api/workbenches/:id/export', {
  tag: 'Workbenches',
  scope: 'library:download',
  rateLimit: 'archive',
  summary: 'Exports the owned samples of a workbench, as files or as a project of a DAW',
  query: z.object({
    format: z.enum(['zip', ...DAW_FORMATS]).default('zip'),
    tagged: YesNo.default(false).describe('Adds WAV copies with tags of WAV, AIFF, FLAC and Ogg files'),
  }),
  answers: { 200: ARCHIVE },
  problems: [...MISSING, 'NotFound'],
});

export const readArchive = own('GET /api/library/archives/:id', {
  scope: 'library:download',
  summary: 'Returns the progress of an archive',
  params: { id: Id },
  answers: { 200: contract.ArchiveStatus },
  problems: ['NotFound'],
});

export const fetchOriginal = own('GET /api/downloads/:sampleId/file', {
  scope: 'library:download',
  summary: 'Redirects to an owned original, at an address that is valid for a short time',
  inTime: true,
  params: { sampleId: Id },
  answers: { 302: sent() },
  problems: MISSING,
});

export const fetchTaggedCopy = own('GET /api/downloads/:sampleId/tagged', {
  scope: 'library:download',
  rateLimit: 'archive',
  summary:
    'Returns a WAV copy of an owned WAV, AIFF, FLAC or Ogg file, with tempo, key, slices and licence in its chunks',
  params: { sampleId: Id },
  answers: { 200: sent('audio/wav') },
  problems: [...MISSING, 'NoTaggedCopy'],
});

const attached = endpointsOf({
  tag: 'Downloads',
  access: 'user',
  scope: 'library:download',
  params: { sampleId: Id },
  answers: { 200: contract.AttachedAnswer },
  problems: ['SampleNotOwned', 'Gone', 'DownloadUnavailable', 'StudioPlanRequired'],
});

export const fetchStems = attached('GET /api/downloads/:sampleId/stems', {
  summary: 'Returns the stems of an owned sample, with the Studio plan',
});

export const fetchMidi = attached('GET /api/downloads/:sampleId/midi', {
  summary: 'Returns the MIDI file of an owned sample',
});

const held = endpointsOf({
  tag: 'Certificates',
  access: 'user',
  scope: 'library:read',
  problems: ['NotFound'],
});

export const printCertificate = held('GET /api/certificates/:id.pdf', {
  summary: 'Returns a licence certificate of the caller, to be printed',
  answers: { 200: text('application/pdf') },
});

export const readCertificateFile = held('GET /api/certificates/:id.json', {
  summary: 'Returns a licence certificate of the caller, as a file',
  answers: { 200: contract.Certificate },
});

export const readCertificate = held('GET /api/certificates/:id', {
  summary: 'Returns a licence certificate of the caller',
  answers: { 200: contract.Certificate },
});

export const makeDisputePack = held('POST /api/certificates/:id/dispute-pack', {
  scope: 'library:download',
  rateLimit: 'archive',
  summary: 'Makes a ZIP that proves a licence of the caller: PDF, JSON, and how to check them',
  body: z.strictObject({ compared: contract.ComparedFile.optional() }),
  answers: { 200: sent('application/zip') },
});

export const lookUpCertificate = held('GET /api/certificates/:id/verification', {
  access: 'public',
  summary: 'Returns a certificate by its id and whether it is valid',
  answers: {
    200: namedObject('CertificateLookUp', {
      valid: z.boolean(),
      reason: z.string(),
      certificate: contract.Certificate,
      copies: z.array(contract.CertifiedCopy),
    }),
  },
});

export const verifyCertificate = endpoint('POST /api/certificates/verify', {
  tag: 'Certificates',
  access: 'public',
  summary: 'Verifies that a certificate is ours and unchanged',
  // Strict: a field that the signature does not cover must not look verified.
  body: contract.Certificate.strict(),
  answers: { 200: contract.CertificateVerdict },
});
