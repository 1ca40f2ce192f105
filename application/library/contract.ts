import * as z from 'zod';
import { KEYS } from '../../domain/catalogue/vocabulary.js';
import { DEFAULT_TEMPLATE, templateProblem, TEMPLATE_MAX_LENGTH } from '../../domain/shared/file-names.js';
import {
  Id,
  IsoTime,
  page,
  pageQuery,
  exactText,
  lineText,
  soughtText,
  namedObject,
} from '../shared/contract.js';
import { CreatorRef, PackCard, Sample } from '../catalogue/contract.js';
import { PROJECT_TEMPO_MAX, PROJECT_TEMPO_MIN } from '../catalogue/values.js';
import {
  ADDRESS_MAX_LENGTH,
  IMPORT_INSTRUMENTS_LIMIT,
  IMPORT_MAX_BPM,
  PROJECT_NAME_MAX_LENGTH,
  TEXT_MAX_LENGTH,
} from './values.js';

const text = soughtText(TEXT_MAX_LENGTH);
/** A saved item in the format of the browser's storage. Unknown fields are rejected, and all texts are limited. */
export const SavedItem = z.strictObject({
  id: text.optional(),
  type: z.enum(['sample', 'track', 'pack']),
  title: text.optional(),
  name: text.optional(),
  artist: text.optional(),
  creator: text.optional(),
  pack: text.optional(),
  genre: text.optional(),
  artwork: text.nullable().optional(),
  url: text.nullable().optional(),
  fileUrl: text.nullable().optional(),
  duration: text.optional(),
  bpm: z.number().min(0).max(IMPORT_MAX_BPM).optional(),
  keySignature: text.nullable().optional(),
  mood: text.optional(),
  instruments: z.array(text).max(IMPORT_INSTRUMENTS_LIMIT).optional(),
});
export type SavedItem = z.infer<typeof SavedItem>;
export const SavedRow = z.object({
  id: z.string(),
  item: SavedItem,
  sample: Sample.nullable(),
  createdAt: IsoTime,
});
export type SavedRow = z.infer<typeof SavedRow>;
export const SavedPage = page(SavedRow);
export type SavedPage = z.infer<typeof SavedPage>;
/** Long enough for the id of any saved item. */
export const SavedItemId = exactText().min(1).max(1_100);
export const SavedImportAnswer = z.object({ imported: z.int() });

/** A download as an older client recorded it. */
export const ImportedDownload = z.strictObject({
  url: exactText().min(1).max(ADDRESS_MAX_LENGTH),
  filename: text.optional(),
  pack: text.optional(),
  track: text.optional(),
  creator: text.optional(),
  artwork: exactText().max(ADDRESS_MAX_LENGTH).nullable().optional(),
  createdAt: IsoTime.optional(),
});
export type ImportedDownload = z.infer<typeof ImportedDownload>;

/** The stems or MIDI of a sample. Early records lack the hash and the size. */
const AttachedFile = z.object({ sha256: z.string().nullable(), sizeBytes: z.int().nullable() });

export const DownloadRow = namedObject('DownloadRow', {
  id: Id,
  sampleId: Id,
  /** The sample as the catalogue lists it now; null if it has left the catalogue. The licence stays valid. */
  sample: Sample.nullable(),
  filename: z.string(),
  format: z.string(),
  sizeBytes: z.int(),
  track: z.string(),
  pack: z.string(),
  creator: z.string(),
  artwork: z.string().nullable(),
  certificateId: Id,
  createdAt: IsoTime,
  purchasedAt: IsoTime,
  /** The SHA-256 of the sample's current original. */
  sha256: z.string(),
  /** The tempo; 0 if unknown. */
  bpm: z.int(),
  key: z.string().nullable(),
  genre: z.string(),
  mood: z.string(),
  instruments: z.array(z.string()),
  kind: z.string().nullable(),
  midi: AttachedFile.nullable(),
  stems: AttachedFile.nullable(),
});
export const DownloadPage = page(DownloadRow);
export type DownloadPage = z.infer<typeof DownloadPage>;

/** The template for the names of the caller's files, without the extension. */
export const FileNames = z
  .strictObject({
    template: lineText(TEMPLATE_MAX_LENGTH)
      .superRefine((template, context) => {
        const message = templateProblem(template);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .meta({ examples: [DEFAULT_TEMPLATE] }),
  })
  .meta({ id: 'FileNames' });

export const LibraryQuery = z.object(pageQuery);

export const HistoryEntryBody = z.strictObject({
  id: text.min(1),
  title: text,
  artist: text,
  url: text.optional(),
  artwork: text.nullable().optional(),
  packSlug: text.optional(),
});
export const HistoryEntry = HistoryEntryBody.extend({ timestamp: IsoTime });
export type HistoryEntry = z.infer<typeof HistoryEntry>;
export const History = z.object({ items: z.array(HistoryEntry) });
export type History = z.infer<typeof History>;

export const Handle = exactText().min(1).max(100);
/** A genre, mood or instrument, in upper or lower case. */
export const TagLabel = soughtText(50).min(1);

/** The creators and tags that the caller follows, newest first. */
export const Following = z.object({ creators: z.array(CreatorRef), tags: z.array(z.string()) });
export type Following = z.infer<typeof Following>;

export const FeedPage = page(
  z.object({
    pack: PackCard,
    /** Why the feed shows this pack: the names of its creator and its tags that the caller follows, such as `Soul`. */
    reasons: z.array(z.string()),
  }),
);
export type FeedPage = z.infer<typeof FeedPage>;

/** The mails that the caller wants. */
export const Notifications = z.strictObject({
  weeklyMail: z
    .boolean()
    .describe('New sounds of the followed, and in the tempo and key of the newest project'),
});

export const projectFields = {
  name: lineText(PROJECT_NAME_MAX_LENGTH).min(1),
  tempo: z.number().min(PROJECT_TEMPO_MIN).max(PROJECT_TEMPO_MAX).describe('In BPM'),
  key: z.enum(KEYS).nullable(),
  timeSignature: exactText()
    .regex(/^([1-9]|[12]\d|3[0-2])\/(1|2|4|8|16|32)$/, 'not a time signature such as 4/4')
    .meta({ examples: ['4/4'] }),
};
export const NewProject = z.strictObject({
  id: z.uuid().optional().describe('Chosen by the caller. An existing project of this id is left as it is.'),
  ...projectFields,
  key: projectFields.key.default(null),
  timeSignature: projectFields.timeSignature.default('4/4'),
});
export type NewProject = z.infer<typeof NewProject>;
export const ProjectChange = z.strictObject(projectFields).partial();
export type ProjectChange = z.infer<typeof ProjectChange>;
/** The tempo and key in which a listener hears samples. */
export const SavedProject = namedObject('Project', { id: Id, ...projectFields });
export type SavedProject = z.infer<typeof SavedProject>;
export const SavedProjects = z.object({ items: z.array(SavedProject) });
