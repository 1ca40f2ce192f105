import type { Origin } from '../shared/origin.js';
import type { Reason } from '../shared/remark.js';
import type { Attachment, PreviewPart, SampleAudio, SampleDescription } from './audio.js';
import type { SampleStatusCommand, SampleStatusEvent } from './sample-status.js';

type ByOwner<Command> = Command & { packId: string; actorId: string; now: string };

export type PackCommand = ByOwner<
  | {
      type: 'DraftPack';
      name: string;
      slug: string;
      folder: string;
      genre: string;
      mood: string;
      description: string;
    }
  | { type: 'RenamePack'; name: string; slug: string }
  | { type: 'DescribePack'; description: string }
  | { type: 'ClassifyPack'; genre: string; mood: string }
  /** `drawn`: by the product, not chosen by the creator. */
  | { type: 'ReplaceCover'; coverKey: string; drawn: boolean }
  | {
      type: 'AddSample';
      sampleId: string;
      /** Default: the pack's default cost. */
      priceCredits?: number;
      description: SampleDescription;
      audio: Omit<SampleAudio, 'audioVersion'>;
      refuseDuplicate?: boolean;
      /** How many samples the pack may have with this one. Default: the limit of packs. */
      limit?: number;
    }
  | {
      type: 'ChangeSample';
      sampleId: string;
      description: Partial<SampleDescription>;
      priceCredits?: number;
    }
  | { type: 'ReplaceSampleAudio'; sampleId: string; audio: Omit<SampleAudio, 'audioVersion'> }
  /** `sha256` is the recording that the preview was made from. */
  | { type: 'ChoosePreview'; sampleId: string; sha256: string; preview: Required<PreviewPart> }
  | { type: 'RemoveSample'; sampleId: string }
  | { type: 'ReorderSamples'; sampleIds: string[] }
  | { type: 'ChangeDefaultCost'; priceCredits: number; applyToAll: boolean }
  /** Null: the pack costs the sum of its samples. */
  | { type: 'PricePack'; priceCredits: number | null }
  | { type: 'AttachStems'; sampleId: string; attachment: Attachment }
  | { type: 'AttachMidi'; sampleId: string; attachment: Attachment }
  | { type: 'PublishPack' }
  | { type: 'ScheduleRelease'; releaseAt: string }
  | { type: 'CancelRelease' }
  | { type: 'UnpublishPack' }
  | { type: 'DeletePack' }
>;

/** Only an administrator takes down a pack. Its creator cannot undo that. */
export type TakeDownPack = {
  type: 'TakeDownPack';
  packId: string;
  actorId: string;
  now: string;
} & Reason;

/** Commands on a pack or its samples that come from staff or checks, not from the pack's creator. */
export type StaffCommand = TakeDownPack | SampleStatusCommand;

type Fact<Type extends string, Data> = { type: Type; data: { packId: string; at: string } & Data };

export type PackEvent =
  | Fact<
      'PackDrafted',
      {
        creatorId: string;
        name: string;
        slug: string;
        folder: string;
        genre: string;
        mood: string;
        description: string;
        defaultCostCredits: number;
      }
    >
  | Fact<'PackRenamed', { name: string; slug: string }>
  | Fact<'PackDescribed', { description: string }>
  | Fact<'PackClassified', { genre: string; mood: string }>
  /** `drawn` is absent from old events. In these, only the cover that the pack was drafted with is drawn. */
  | Fact<'PackCoverReplaced', { coverKey: string; drawn?: boolean }>
  | Fact<
      'SampleAdded',
      { sampleId: string; creatorId: string; priceCredits: number } & SampleDescription & SampleAudio
    >
  | Fact<'SampleDescribed', { sampleId: string } & SampleDescription>
  | Fact<'SamplePriceChanged', { sampleId: string; priceCredits: number }>
  | Fact<'SampleAudioReplaced', { sampleId: string } & SampleAudio>
  | Fact<'SamplePreviewChosen', { sampleId: string } & Required<PreviewPart>>
  | Fact<'SampleRemoved', { sampleId: string }>
  | Fact<'SamplesReordered', { sampleIds: string[] }>
  | Fact<'DefaultCostChanged', { priceCredits: number }>
  | Fact<'PackPriced', { priceCredits: number | null }>
  | Fact<'StemsAttached', { sampleId: string } & Attachment>
  | Fact<'MidiAttached', { sampleId: string } & Attachment>
  | Fact<'PackPublished', { publishedAt: string }>
  | Fact<'PackUnpublished', object>
  | Fact<'ReleaseScheduled', { releaseAt: string }>
  | Fact<'ReleaseCancelled', object>
  | Fact<'PackDeleted', object>
  | Fact<'PackTakenDown', Reason & { by?: string }>
  | SampleStatusEvent;

export type PackRejection =
  /** The pack is unknown, or belongs to another creator. The answer does not reveal which. */
  | { code: 'NotFound' }
  | { code: 'PackDeleted' }
  | ({ code: 'PackTakenDown' } & Reason)
  | { code: 'PackHasNoSamples' }
  /**
   * No sample of the pack may be sold and this one is held, or its recording is withheld in another sample of the
   * creator.
   */
  | { code: 'DuplicateSuspected' | 'SampleHeld'; sampleId: string; name: string; detail?: string }
  | { code: 'SampleTakenDown'; sampleId: string }
  | { code: 'PackAlreadyPublished'; publishedAt: string }
  | { code: 'PackNotPublished' }
  | { code: 'ReleaseTimeRefused'; earliest: string; latest: string }
  | { code: 'SampleOrderMismatch' }
  /** The price of a pack has to be below the sum of its samples. */
  | { code: 'PackPriceTooHigh'; sumCredits: number }
  /** The recording was replaced while its preview was made. */
  | { code: 'AudioReplaced' }
  /** The file equals that of a sample in this pack, or of a sample that another creator published before. */
  | { code: 'DuplicateAudio'; sampleId: string; name: string; among: 'pack' | 'catalogue'; detail?: string }
  | { code: 'TooManySamples'; limit: number }
  /** The creator has not stated how this sample was made. */
  | { code: 'OriginNeeded'; sampleId: string; name: string }
  /** The operator does not accept sounds of this origin. */
  | { code: 'OriginNotAccepted'; sampleId: string; name: string; origin: Origin }
  | { code: 'CreatorSuspended'; detail: string };
