import * as z from 'zod';
import { PARTS, SUGGESTED_LIMIT } from '../../../domain/catalogue/missing-part.js';
import { BEAT_STEP, LANE_BOUNDS, LANES_LIMIT } from '../../../domain/library/workbench.js';
import { GenreLabel, Sample } from '../../catalogue/contract.js';
import { Id, IsoTime, namedObject } from '../../shared/contract.js';
import { projectFields } from '../contract.js';

const bounded = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);

const laneFields = {
  sampleId: Id,
  gainDb: bounded(LANE_BOUNDS.gainDb),
  pan: bounded(LANE_BOUNDS.pan).describe('From left, -1, to right, 1'),
  mute: z.boolean(),
  semitones: bounded(LANE_BOUNDS.semitones)
    .int()
    .describe('Added to the shift that adapts the sample to the key of the workbench'),
  offsetBeats: bounded(LANE_BOUNDS.offsetBeats).multipleOf(BEAT_STEP).describe('Where the lane begins'),
  loopBeats: bounded(LANE_BOUNDS.loopBeats)
    .multipleOf(BEAT_STEP)
    .nullable()
    .describe('After how many beats the lane repeats. Null: once, or at its natural length'),
};

const Lane = z.strictObject({
  ...laneFields,
  gainDb: laneFields.gainDb.default(0),
  pan: laneFields.pan.default(0),
  mute: laneFields.mute.default(false),
  semitones: laneFields.semitones.default(0),
  offsetBeats: laneFields.offsetBeats.default(0),
  loopBeats: laneFields.loopBeats.default(null),
});

/** The fields of a workbench that its owner sets. */
export const WorkbenchContent = z.strictObject({
  ...projectFields,
  key: projectFields.key.default(null),
  timeSignature: projectFields.timeSignature.default('4/4'),
  lanes: z.array(Lane).max(LANES_LIMIT).default([]),
});
export type WorkbenchContent = z.infer<typeof WorkbenchContent>;

export const NewWorkbench = WorkbenchContent.extend({
  id: z
    .uuid()
    .optional()
    .describe("Chosen by the caller. The caller's existing workbench of this id is left as it is."),
});
export type NewWorkbench = z.infer<typeof NewWorkbench>;

export const WorkbenchCard = namedObject('WorkbenchCard', {
  id: Id,
  ...projectFields,
  laneCount: z.int(),
  isShared: z.boolean(),
  updatedAt: IsoTime,
});
export type WorkbenchCard = z.infer<typeof WorkbenchCard>;
export const WorkbenchCards = z.object({ items: z.array(WorkbenchCard) });

/** What visitors with the link see. It does not name the owner. */
export const SharedWorkbench = namedObject('SharedWorkbench', {
  ...projectFields,
  lanes: z.array(
    namedObject('WorkbenchLane', {
      ...laneFields,
      title: z.string().describe('`Sample` if visitors may not see the sample'),
      /** Null if it is off sale. Its creator and owners still see it, unless it was taken down. */
      sample: Sample.nullable(),
    }),
  ),
  /** The price of all samples that the viewer may hear. A sample in several lanes counts once. */
  totalCredits: z.int(),
  /** The price of samples the viewer neither owns nor sells. */
  missingCredits: z.int(),
  updatedAt: IsoTime,
});
export type SharedWorkbench = z.infer<typeof SharedWorkbench>;

export const Workbench = namedObject('Workbench', {
  ...SharedWorkbench.shape,
  id: Id,
  /** Increases with every change of the content. */
  version: z.int(),
  shareUrl: z.string().nullable(),
  createdAt: IsoTime,
});
export type Workbench = z.infer<typeof Workbench>;

export const Playing = z.strictObject({
  tempo: projectFields.tempo,
  key: projectFields.key.default(null),
  lanes: z.array(Id).max(LANES_LIMIT).describe('The samples that play'),
  genre: GenreLabel.optional().describe('Samples of this genre come first'),
});
export type Playing = z.infer<typeof Playing>;

export const PartSuggestions = namedObject('PartSuggestions', {
  missing: z.enum(PARTS).nullable().describe('Null if the lanes have all parts'),
  because: z.string().nullable().describe('One or two sentences, such as: No bass plays yet.'),
  items: z
    .array(z.object({ sample: Sample, reason: z.string().describe('Such as: Leaves room for the kick') }))
    .max(SUGGESTED_LIMIT),
});
export type PartSuggestions = z.infer<typeof PartSuggestions>;
