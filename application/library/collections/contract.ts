import * as z from 'zod';
import { bodyText, Id, IsoTime, lineText, namedObject } from '../../shared/contract.js';
import { Sample } from '../../catalogue/contract.js';
import {
  COLLECTION_DESCRIPTION_MAX_LENGTH,
  COLLECTION_NAME_MAX_LENGTH,
  COLLECTION_SAMPLES_LIMIT,
} from '../values.js';

const Name = lineText(COLLECTION_NAME_MAX_LENGTH).min(1, 'Enter a name');
const Description = bodyText(COLLECTION_DESCRIPTION_MAX_LENGTH);
const SampleIds = z.array(Id).max(COLLECTION_SAMPLES_LIMIT);

export const NewCollection = z.strictObject({
  name: Name,
  description: Description.default(''),
  sampleIds: SampleIds.default([]),
});
export type NewCollection = z.infer<typeof NewCollection>;
export const CollectionChange = z.strictObject({
  name: Name.optional(),
  description: Description.optional(),
});
export type CollectionChange = z.infer<typeof CollectionChange>;
export const SamplesToAdd = z.strictObject({ sampleIds: SampleIds.min(1) });
/** States a place by the sample before it, because another tab or person may change the numbers of places meanwhile. */
export const Place = z.strictObject({
  after: Id.nullable().describe('The sample that stands before it; null moves it to the top'),
});

/** `collaborator`: may add samples, and remove what they added. */
const Role = z.enum(['owner', 'collaborator']);
const Person = z.object({ id: Id, displayName: z.string() });

export const CollectionCard = namedObject('OwnCollectionCard', {
  id: Id,
  name: z.string(),
  role: Role,
  ownerName: z.string(),
  isShared: z.boolean(),
  sampleCount: z.int(),
  /** The covers of the packs of the first samples. */
  covers: z
    .array(z.object({ title: z.string(), genre: z.string(), artworkUrl: z.string().nullable() }))
    .max(4),
  /** Whether the collection has the sample that the query names. */
  hasSample: z.boolean(),
  updatedAt: IsoTime,
});
export type CollectionCard = z.infer<typeof CollectionCard>;
export const CollectionCards = z.object({ items: z.array(CollectionCard) });

const Prices = {
  /** The price of all samples of the collection that are on sale. */
  totalCredits: z.int(),
  /** The price of samples the viewer neither owns nor sells. */
  missingCredits: z.int(),
};

export const OwnCollection = namedObject('OwnCollection', {
  id: Id,
  name: z.string(),
  description: z.string(),
  role: Role,
  ownerName: z.string(),
  /** The link for visitors. Only the owner sees the links; null if there is none. */
  shareUrl: z.string().nullable(),
  invitationUrl: z.string().nullable(),
  collaborator: Person.nullable(),
  entries: z.array(
    z.object({
      sampleId: Id,
      title: z.string(),
      /** Null if the sample is no longer on sale. */
      sample: Sample.nullable(),
      /** Null if the account was deleted. */
      addedBy: Person.nullable(),
      addedAt: IsoTime,
    }),
  ),
  ...Prices,
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type OwnCollection = z.infer<typeof OwnCollection>;

/** What visitors with the link see. It does not name the owner, who may never have chosen a public name. */
export const SharedCollection = namedObject('SharedCollection', {
  name: z.string(),
  description: z.string(),
  samples: z.array(Sample),
  unavailableCount: z.int().describe('How many samples are no longer on sale'),
  ...Prices,
  updatedAt: IsoTime,
});
export type SharedCollection = z.infer<typeof SharedCollection>;

export const Invitation = namedObject('CollectionInvitation', {
  collectionId: Id.nullable().describe('Present if the caller owns the collection or has accepted'),
  name: z.string(),
  ownerName: z.string(),
  sampleCount: z.int(),
});
export type Invitation = z.infer<typeof Invitation>;

export const Link = z.object({ url: z.string() });
