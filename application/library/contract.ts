import * as z from 'zod';
import { Id, IsoTime, page, pageQuery } from '../shared/contract.js';
import { Sample } from '../catalogue/contract.js';

/** A saved thing as the browser keeps it. Unknown fields are refused, all texts are limited. */
const text = z.string().max(500);
export const SavedItem = z.strictObject({
  id: text.optional(),
  type: z.enum(['sample', 'track', 'pack']),
  title: text.optional(),
  name: text.optional(),
  artist: text.optional(),
  creator: text.optional(),
  pack: text.optional(),
  genre: text.optional(),
  artwork: text.optional(),
  url: text.optional(),
  fileUrl: text.optional(),
  duration: text.optional(),
  bpm: z.number().min(0).max(1_000).optional(),
  keySignature: text.optional(),
  mood: text.optional(),
  instruments: z.array(text).max(30).optional(),
});
export type SavedItem = z.infer<typeof SavedItem>;
export const SavedRow = z.object({
  id: z.string(),
  item: SavedItem,
  sample: Sample.nullable(),
  createdAt: IsoTime,
});
export const SavedPage = page(SavedRow);

export const DownloadRow = z
  .object({
    id: Id,
    sampleId: Id,
    /** The sample as listed now; null when it has left the catalogue. The licence stays. */
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
  })
  .meta({ id: 'DownloadRow' });
export const DownloadPage = page(DownloadRow);
export type DownloadPage = z.infer<typeof DownloadPage>;

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
export const History = z.object({ items: z.array(HistoryEntry) });
