import * as z from 'zod';
import { LibraryQuery } from '../library/contract.js';
import { IMAGE_LIMIT_BYTES, IMAGE_PROBLEMS } from '../media/values.js';
import { exactText, Id, IsoTime } from '../shared/contract.js';
import { endpointsOf, multipart, ROWS_LIMIT_BYTES, sent } from '../shared/endpoint.js';
import * as contract from './contract.js';
import { AUDIO_LIMIT_BYTES } from './values.js';

const own = endpointsOf({ tag: 'Creators', access: 'user' });
const PACK_REFUSALS = [
  'NotFound',
  'PackDeleted',
  'PackTakenDown',
  'PackHasNoSamples',
  'PackPriceTooHigh',
  'PackAlreadyPublished',
  'PackNotPublished',
  'ReleaseTimeRefused',
  'SampleOrderMismatch',
  'AudioReplaced',
  'DuplicateAudio',
  'DuplicateSuspected',
  'SampleHeld',
  'SampleTakenDown',
  'TooManySamples',
  'OriginNeeded',
  'OriginNotAccepted',
  'DisplayNameNeeded',
  'EmailConfirmationNeeded',
  'CreatorSuspended',
] as const;
const AUDIO_REFUSALS = [
  'UnsupportedAudioType',
  'AudioUnreadable',
  'AudioEmpty',
  'AudioTooLong',
  'AudioTooLarge',
] as const;

export const applyAsCreator = own('POST /api/creator/application', {
  rateLimit: 'edit',
  summary:
    'Asks for creator access, or answers a question about it; the display name has to be one that no other creator has',
  body: contract.ApplicationBody,
  answers: { 201: contract.CreatorState },
  problems: ['ApplicationExists', 'CreatorSuspended', 'DisplayNameTaken', 'NotFound'],
});

export const withdrawApplication = own('DELETE /api/creator/application', {
  rateLimit: 'edit',
  summary: 'Withdraws an application that waits for a decision',
  answers: { 200: contract.CreatorState },
  problems: ['NotFound'],
});

export const readApplicationSounds = own('GET /api/creator/application/sounds', {
  summary: 'Lists the sounds of the application of the caller',
  answers: { 200: contract.ApplicationSounds },
});

export const addApplicationSound = own('POST /api/creator/application/sounds', {
  rateLimit: 'upload',
  summary: 'Adds a sound to the application of the caller; only administrators hear it',
  body: multipart(AUDIO_LIMIT_BYTES, { audio: 'file' }),
  answers: { 201: contract.ApplicationSounds },
  problems: [...PACK_REFUSALS, ...AUDIO_REFUSALS, 'UploadCancelled', 'CreatorAccessRequired', 'StaleVersion'],
});

export const removeApplicationSound = own('DELETE /api/creator/application/sounds/:sampleId', {
  rateLimit: 'edit',
  summary: 'Removes a sound from the application of the caller',
  answers: { 200: contract.ApplicationSounds },
  problems: [...PACK_REFUSALS, 'StaleVersion'],
});

export const readApprovalTime = own('GET /api/creator/approval-time', {
  access: 'public',
  summary: 'Returns how long the newest applications waited for their decision',
  answers: { 200: contract.ApprovalTime },
});

export const readCreatorState = own('GET /api/creator', {
  scope: 'packs:write',
  summary: 'Returns whether the caller may publish',
  answers: { 200: contract.CreatorState },
});

export const readAiPreference = own('GET /api/creator/ai-preference', {
  summary: 'Returns whether the caller allows to train generative models with their sounds',
  answers: { 200: z.object({ trains: z.boolean() }) },
});

export const setAiPreference = own('PUT /api/creator/ai-preference', {
  rateLimit: 'edit',
  summary: 'Allows or forbids to train generative models with the sounds of the caller',
  body: z.strictObject({ trains: z.boolean() }),
  answers: { 200: z.object({ trains: z.boolean() }) },
  problems: ['CreatorSuspended'],
});

export const readRights = own('GET /api/creator/rights', {
  summary: 'Counts the samples of the caller by stated origin, and the licences that listeners hold',
  answers: { 200: contract.CreatorRights },
});

export const readUpload = own('GET /api/creator/uploads/:uploadId', {
  scope: 'packs:write',
  summary: 'Returns the progress of an upload',
  answers: { 200: contract.UploadProgress },
  problems: ['NotFound'],
});

export const cleanUpImages = own('POST /api/storage/cleanup-images', {
  summary: 'Deletes unused cover images of the caller',
  answers: { 200: z.object({ success: z.literal(true), removed: z.int() }) },
});

export const deletePackBySlug = own('DELETE /api/packs', {
  summary: 'Deletes a pack, for earlier clients. The owner in the body must match the session',
  deprecated: true,
  body: z.strictObject({
    slug: exactText().max(200),
    userId: exactText().max(100),
    userFolder: exactText().max(200),
  }),
  answers: { 200: z.object({ success: z.literal(true) }) },
  problems: [...PACK_REFUSALS, 'NotAllowed'],
});

export const listOwnPacks = own('GET /api/creator/packs', {
  scope: 'packs:write',
  summary: 'Lists the packs of the caller, drafts included',
  query: LibraryQuery,
  answers: { 200: contract.OwnPackPage },
});

export const createPack = own('POST /api/creator/packs', {
  scope: 'packs:write',
  summary: 'Begins a pack',
  body: contract.NewPackBody,
  answers: { 201: contract.OwnPack },
  problems: PACK_REFUSALS,
  rateLimit: 'new-pack',
});

export const readOwnPack = own('GET /api/creator/packs/:id', {
  scope: 'packs:write',
  summary: 'Returns a pack of the caller by its id, its slug, or a slug that it had before',
  answers: { 200: contract.OwnPack },
  problems: ['NotFound'],
});

const writing = endpointsOf({
  tag: 'Creators',
  access: 'user',
  scope: 'packs:write',
  answers: { 200: contract.OwnPack },
  problems: PACK_REFUSALS,
  versioned: true,
  rateLimit: 'edit',
});

export const changePack = writing('PATCH /api/creator/packs/:id', {
  summary: 'Changes the name, genre, mood or description of a pack',
  body: contract.PackInfoBody,
});

export const deletePack = writing('DELETE /api/creator/packs/:id', {
  summary: 'Deletes a pack',
  answers: { 204: null },
});

export const replaceCover = writing('PUT /api/creator/packs/:id/cover', {
  summary: 'Stores the cover of a pack',
  body: multipart(IMAGE_LIMIT_BYTES, { image: 'file' }),
  problems: [...PACK_REFUSALS, ...IMAGE_PROBLEMS],
  rateLimit: 'picture',
});

export const orderSamples = writing('PUT /api/creator/packs/:id/order', {
  summary: 'Puts the samples of a pack in an order that names each of them once',
  body: z.strictObject({ sampleIds: z.array(Id).max(1_000) }),
});

export const changeDefaultCost = writing('POST /api/creator/packs/:id/default-cost', {
  summary: 'Sets the default cost of new samples, and optionally of all samples',
  body: contract.DefaultCostBody,
});

export const pricePack = writing('PUT /api/creator/packs/:id/price', {
  summary:
    'Sets the price of the whole pack, below the sum of its samples, or takes it back. Buyers pay it less a part for the samples that they own. It does not count while the samples cost no more',
  body: contract.PackPriceBody,
});

export const publishPack = writing('POST /api/creator/packs/:id/publish', {
  access: 'creator',
  summary: 'Puts a pack on sale',
});

export const unpublishPack = writing('POST /api/creator/packs/:id/unpublish', {
  summary: 'Takes a pack off sale. Buyers keep their samples',
});

export const scheduleRelease = writing('PUT /api/creator/packs/:id/release', {
  access: 'creator',
  summary: 'Chooses when a pack is published. Until then its page says when, and plays its previews',
  body: z.strictObject({ releaseAt: IsoTime }),
});

export const cancelRelease = writing('DELETE /api/creator/packs/:id/release', {
  summary: 'Takes back the time of a release',
});

export const linkPreview = own('PUT /api/creator/packs/:id/preview-link', {
  scope: 'packs:write',
  rateLimit: 'edit',
  summary:
    'Returns the secret part of the link that shows a pack before its release; makes it if there is none',
  answers: { 200: z.object({ token: z.string() }) },
  problems: ['NotFound'],
});

export const endPreviewLink = own('DELETE /api/creator/packs/:id/preview-link', {
  scope: 'packs:write',
  rateLimit: 'edit',
  summary: 'Ends the link that shows a pack before its release',
  answers: { 204: null },
  problems: ['NotFound'],
});

export const exportPack = own('GET /api/creator/packs/:id/export.zip', {
  scope: 'packs:write',
  rateLimit: 'archive',
  summary: 'Exports a pack as a folder for the importer',
  answers: { 200: sent('application/zip') },
  problems: ['NotFound', 'PackTakenDown', 'TooBusy'],
});

/** The upload id is in the address, not only in the body, so that progress can be read while the body arrives. */
const UploadQuery = z.object({ uploadId: z.uuid().optional() });
const uploading = endpointsOf({
  tag: 'Creators',
  access: 'creator',
  scope: 'packs:write',
  answers: { 200: contract.OwnSampleAnswer },
  versioned: true,
  rateLimit: 'upload',
  problems: [...PACK_REFUSALS, ...AUDIO_REFUSALS, 'UploadCancelled', 'UnsupportedAttachment', 'StemsRefused'],
});

export const changeSamples = writing('PATCH /api/creator/packs/:id/samples', {
  summary:
    'Changes facts of many samples; rows that cannot be saved are named, the others are saved in one step',
  body: contract.SampleChangesBody,
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: contract.SampleChangesAnswer },
});

/** The id of a finished direct upload, which replaces the file in the form. */
const stored = z.uuid();

export const beginUpload = own('PUT /api/creator/packs/:id/uploads/:uploadId', {
  scope: 'packs:write',
  access: 'creator',
  summary:
    'Begins an upload and returns the addresses of its parts. A repeated request returns the missing parts. Without a bucket the file is sent to this server',
  params: { uploadId: z.uuid() },
  body: z.strictObject({
    filename: exactText().max(1_000),
    sizeBytes: z.int().min(0),
    /** The sample whose audio the file replaces. Absent for a new sample. */
    sampleId: Id.optional(),
  }),
  // Null if there is no bucket for direct uploads: the browser must send the file to this server.
  answers: { 200: z.object({ parts: contract.DirectParts.nullable() }) },
  problems: ['NotFound', 'PackDeleted', 'PackTakenDown', 'TooManySamples', 'AudioTooLarge'],
  rateLimit: 'upload-parts',
});

export const abortUpload = own('DELETE /api/creator/packs/:id/uploads/:uploadId', {
  scope: 'packs:write',
  summary: 'Deletes the parts of an unused upload',
  params: { uploadId: z.uuid() },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const addSample = uploading('POST /api/creator/packs/:id/samples', {
  summary: 'Adds a sample to a pack; repeating an upload id adds nothing',
  query: UploadQuery,
  body: multipart(AUDIO_LIMIT_BYTES, { audio: 'file', stored, meta: contract.SampleMeta }),
  answers: { 201: contract.OwnSampleAnswer },
});

export const changeSample = writing('PATCH /api/creator/packs/:id/samples/:sampleId', {
  summary: 'Changes facts of a sample',
  answers: { 200: contract.OwnSampleAnswer },
  body: contract.SampleChange,
});

export const removeSample = writing('DELETE /api/creator/packs/:id/samples/:sampleId', {
  summary: 'Removes a sample from a pack; answers when files of it are still stored',
  answers: { 200: z.object({ cleanedUp: z.literal(false) }), 204: null },
  status: 204,
});

export const replaceAudio = uploading('PUT /api/creator/packs/:id/samples/:sampleId/audio', {
  summary: 'Replaces the recording of a sample. Buyers keep the former one',
  query: UploadQuery,
  body: multipart(AUDIO_LIMIT_BYTES, { audio: 'file', stored }),
});

export const undoReplacement = writing('POST /api/creator/packs/:id/samples/:sampleId/audio/undo', {
  access: 'creator',
  summary: 'Restores the recording before the last replacement',
  answers: { 200: contract.OwnSampleAnswer },
  status: 200,
});

export const choosePreview = writing('PUT /api/creator/packs/:id/samples/:sampleId/preview', {
  access: 'creator',
  summary: 'Makes the preview again, from another part of the original',
  body: contract.PreviewBody,
  answers: { 200: contract.OwnSampleAnswer },
  problems: [...PACK_REFUSALS, ...AUDIO_REFUSALS, 'PreviewOutOfRange'],
});

export const readOverview = own('GET /api/creator/packs/:id/samples/:sampleId/waveform', {
  access: 'creator',
  scope: 'packs:write',
  summary: 'Draws the waveform of the whole original',
  rateLimit: 'edit',
  answers: { 200: contract.SoundOverview },
  problems: ['NotFound', ...AUDIO_REFUSALS],
});

export const attachStems = uploading('PUT /api/creator/packs/:id/samples/:sampleId/stems', {
  summary: 'Stores the stems of a sample, as an archive',
  body: multipart(AUDIO_LIMIT_BYTES, { file: 'file', stored }),
});

export const attachMidi = uploading('PUT /api/creator/packs/:id/samples/:sampleId/midi', {
  summary: 'Stores the MIDI file of a sample',
  body: multipart(AUDIO_LIMIT_BYTES, { file: 'file', stored }),
});
