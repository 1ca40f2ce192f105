import * as z from 'zod';
import { LibraryQuery } from '../library/contract.js';
import { IMAGE_LIMIT_BYTES, IMAGE_PROBLEMS } from '../media/values.js';
import { exactText, Id } from '../shared/contract.js';
import { endpoint, multipart, ROWS_LIMIT_BYTES, sent } from '../shared/endpoint.js';
import {
  CreatorState,
  DefaultCostBody,
  DirectParts,
  NewPackBody,
  OwnPack,
  OwnPackPage,
  OwnSampleAnswer,
  PackInfoBody,
  SampleChange,
  SampleChangesAnswer,
  SampleChangesBody,
  SampleMeta,
  UploadProgress,
} from './contract.js';
import { AUDIO_LIMIT_BYTES } from './values.js';

const own = { tag: 'Creators', access: 'user' } as const;
const PACK_REFUSALS = [
  'NotFound',
  'PackDeleted',
  'PackTakenDown',
  'PackHasNoSamples',
  'PackAlreadyPublished',
  'PackNotPublished',
  'SampleOrderMismatch',
  'DuplicateAudio',
  'DuplicateSuspected',
  'SampleHeld',
  'SampleTakenDown',
  'TooManySamples',
  'CreatorSuspended',
] as const;
const AUDIO_REFUSALS = [
  'UnsupportedAudioType',
  'AudioUnreadable',
  'AudioEmpty',
  'AudioTooLong',
  'AudioTooLarge',
] as const;

export const applyAsCreator = endpoint('POST /api/creator/application', {
  ...own,
  rateLimit: 'edit',
  summary: 'Asks for creator access; the display name has to be one that no other creator has',
  answers: { 201: CreatorState },
  problems: ['ApplicationExists', 'CreatorSuspended', 'DisplayNameTaken', 'NotFound'],
});

export const readCreatorState = endpoint('GET /api/creator', {
  ...own,
  scope: 'packs:write',
  summary: 'Whether the caller may publish',
  answers: { 200: CreatorState },
});

export const readAiPreference = endpoint('GET /api/creator/ai-preference', {
  ...own,
  summary: 'Whether the caller allows to train generative models with their sounds',
  answers: { 200: z.object({ trains: z.boolean() }) },
});

export const setAiPreference = endpoint('PUT /api/creator/ai-preference', {
  ...own,
  rateLimit: 'edit',
  summary: 'Allows or forbids to train generative models with the sounds of the caller',
  body: z.strictObject({ trains: z.boolean() }),
  answers: { 200: z.object({ trains: z.boolean() }) },
  problems: ['CreatorSuspended'],
});

export const readUpload = endpoint('GET /api/creator/uploads/:uploadId', {
  ...own,
  scope: 'packs:write',
  summary: 'Returns the progress of an upload',
  answers: { 200: UploadProgress },
  problems: ['NotFound'],
});

export const cleanUpImages = endpoint('POST /api/storage/cleanup-images', {
  ...own,
  summary: 'Deletes unused cover images of the caller',
  answers: { 200: z.object({ success: z.literal(true), removed: z.int() }) },
});

export const deletePackBySlug = endpoint('DELETE /api/packs', {
  ...own,
  summary: 'Deletes a pack, for earlier clients. The owner in the body must match the session',
  body: z.strictObject({
    slug: exactText().max(200),
    userId: exactText().max(100),
    userFolder: exactText().max(200),
  }),
  answers: { 200: z.object({ success: z.literal(true) }) },
  problems: [...PACK_REFUSALS, 'NotAllowed'],
});

export const listOwnPacks = endpoint('GET /api/creator/packs', {
  ...own,
  scope: 'packs:write',
  summary: 'The packs of the caller, drafts included',
  query: LibraryQuery,
  answers: { 200: OwnPackPage },
});

export const createPack = endpoint('POST /api/creator/packs', {
  ...own,
  scope: 'packs:write',
  summary: 'Begins a pack',
  body: NewPackBody,
  answers: { 201: OwnPack },
  problems: PACK_REFUSALS,
  rateLimit: 'new-pack',
});

export const readOwnPack = endpoint('GET /api/creator/packs/:id', {
  ...own,
  scope: 'packs:write',
  summary: 'A pack of the caller by its id, its slug, or a slug that it had before',
  answers: { 200: OwnPack },
  problems: ['NotFound'],
});

const writing = {
  ...own,
  scope: 'packs:write',
  answers: { 200: OwnPack },
  problems: PACK_REFUSALS,
  versioned: true,
  rateLimit: 'edit',
} as const;

export const changePack = endpoint('PATCH /api/creator/packs/:id', {
  ...writing,
  summary: 'Changes the name, genre, mood or description of a pack',
  body: PackInfoBody,
});

export const deletePack = endpoint('DELETE /api/creator/packs/:id', {
  ...writing,
  summary: 'Deletes a pack',
  answers: { 204: null },
});

export const replaceCover = endpoint('PUT /api/creator/packs/:id/cover', {
  ...writing,
  summary: 'Stores the cover of a pack',
  body: multipart(IMAGE_LIMIT_BYTES, { image: 'file' }),
  problems: [...PACK_REFUSALS, ...IMAGE_PROBLEMS],
  rateLimit: 'picture',
});

export const orderSamples = endpoint('PUT /api/creator/packs/:id/order', {
  ...writing,
  summary: 'Puts the samples of a pack in an order that names each of them once',
  body: z.strictObject({ sampleIds: z.array(Id).max(1_000) }),
});

export const changeDefaultCost = endpoint('POST /api/creator/packs/:id/default-cost', {
  ...writing,
  summary: 'Sets the default cost of new samples, and optionally of all samples',
  body: DefaultCostBody,
});

export const publishPack = endpoint('POST /api/creator/packs/:id/publish', {
  ...writing,
  access: 'creator',
  summary: 'Puts a pack on sale',
});

export const unpublishPack = endpoint('POST /api/creator/packs/:id/unpublish', {
  ...writing,
  summary: 'Takes a pack off sale. Buyers keep their samples',
});

export const exportPack = endpoint('GET /api/creator/packs/:id/export.zip', {
  ...own,
  scope: 'packs:write',
  rateLimit: 'archive',
  summary: 'Exports a pack as a folder for the importer',
  answers: { 200: sent('application/zip') },
  problems: ['NotFound', 'PackTakenDown', 'TooBusy'],
});

const sampleWriting = { ...writing, answers: { 200: OwnSampleAnswer } } as const;
/** The upload id is also in the address, so that clients can query the progress while the body arrives. */
const UploadQuery = z.object({ uploadId: z.uuid().optional() });
const uploading = {
  ...sampleWriting,
  rateLimit: 'upload',
  access: 'creator',
  problems: [...PACK_REFUSALS, ...AUDIO_REFUSALS, 'UploadCancelled', 'UnsupportedAttachment', 'StemsRefused'],
} as const;

export const changeSamples = endpoint('PATCH /api/creator/packs/:id/samples', {
  ...writing,
  summary:
    'Changes facts of many samples; rows that cannot be saved are named, the others are saved in one step',
  body: SampleChangesBody,
  bodyLimitBytes: ROWS_LIMIT_BYTES,
  answers: { 200: SampleChangesAnswer },
});

/** Sent instead of the file: the id of the upload that brought the file to the bucket. */
const stored = z.uuid();

export const beginUpload = endpoint('PUT /api/creator/packs/:id/uploads/:uploadId', {
  ...own,
  scope: 'packs:write',
  access: 'creator',
  summary:
    'Begins an upload and returns the addresses of its parts. A repeated request returns the missing parts. Without a bucket the file is sent to this server',
  params: { uploadId: z.uuid() },
  body: z.strictObject({
    filename: exactText().max(1_000),
    sizeBytes: z.int().min(0),
    /** The sample that gets the file; absent for a new sample. */
    sampleId: Id.optional(),
  }),
  // Null if the browser sends the file to this server instead.
  answers: { 200: z.object({ parts: DirectParts.nullable() }) },
  problems: ['NotFound', 'PackDeleted', 'PackTakenDown', 'TooManySamples', 'AudioTooLarge'],
  rateLimit: 'upload-parts',
});

export const abortUpload = endpoint('DELETE /api/creator/packs/:id/uploads/:uploadId', {
  ...own,
  scope: 'packs:write',
  summary: 'Deletes the parts of an unused upload',
  params: { uploadId: z.uuid() },
  answers: { 204: null },
  problems: ['NotFound'],
});

export const addSample = endpoint('POST /api/creator/packs/:id/samples', {
  ...uploading,
  summary: 'Adds a sample to a pack; repeating an upload id adds nothing',
  query: UploadQuery,
  body: multipart(AUDIO_LIMIT_BYTES, { audio: 'file', stored, meta: SampleMeta }),
  answers: { 201: OwnSampleAnswer },
});

export const changeSample = endpoint('PATCH /api/creator/packs/:id/samples/:sampleId', {
  ...sampleWriting,
  summary: 'Changes facts of a sample',
  body: SampleChange,
});

export const removeSample = endpoint('DELETE /api/creator/packs/:id/samples/:sampleId', {
  ...writing,
  summary: 'Removes a sample from a pack; answers when files of it are still stored',
  answers: { 200: z.object({ cleanedUp: z.literal(false) }), 204: null },
  status: 204,
});

export const replaceAudio = endpoint('PUT /api/creator/packs/:id/samples/:sampleId/audio', {
  ...uploading,
  summary: 'Replaces the recording of a sample. Buyers keep the former one',
  query: UploadQuery,
  body: multipart(AUDIO_LIMIT_BYTES, { audio: 'file', stored }),
});

export const undoReplacement = endpoint('POST /api/creator/packs/:id/samples/:sampleId/audio/undo', {
  ...sampleWriting,
  access: 'creator',
  summary: 'Restores the recording before the last replacement',
  status: 200,
});

export const attachStems = endpoint('PUT /api/creator/packs/:id/samples/:sampleId/stems', {
  ...uploading,
  summary: 'Stores the stems of a sample, as an archive',
  body: multipart(AUDIO_LIMIT_BYTES, { file: 'file', stored }),
});

export const attachMidi = endpoint('PUT /api/creator/packs/:id/samples/:sampleId/midi', {
  ...uploading,
  summary: 'Stores the MIDI file of a sample',
  body: multipart(AUDIO_LIMIT_BYTES, { file: 'file', stored }),
});
