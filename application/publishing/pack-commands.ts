import { Command } from '@nestjs/cqrs';
import type * as z from 'zod';
import type {
  PackCommand,
  PackEvent,
  PackRejection,
  TakeDownPack,
} from '../../domain/publishing/pack-messages.js';
import type { ImageRejection } from '../media/image-studio.js';
import type { ReceivedFile } from './samples/audio-intake.js';
import type { AudioRejection } from './samples/audio-studio.js';
import type {
  DefaultCostBody,
  NewPackBody,
  OwnSample,
  PackInfoBody,
  SampleChange,
  SampleChangesAnswer,
  SampleChangesBody,
  SampleMeta,
} from './contract.js';
import type { Twin } from './readers.js';

/** Somebody who writes to a pack, and the version of it they have seen. */
export interface PackWriter {
  userId: string;
  packId: string;
  /** undefined: whatever the version is. */
  expectedVersion?: number | undefined;
  /** When it was done, where that was elsewhere and before now. */
  at?: Date;
}

/** A decision about a pack, before it is said whose pack it is and when it is made. */
export type Unsigned<Decision = PackCommand | TakeDownPack> = Decision extends unknown
  ? Omit<Decision, 'packId' | 'actorId' | 'now'>
  : never;

export type PackOutcome =
  | {
      accepted: true;
      events: readonly PackEvent[];
      /** Of the pack after it, for `If-Match` next time. */
      version: number;
      /** Of the last event recorded; undefined when nothing had to change. */
      position?: number | undefined;
    }
  | { accepted: false; rejection: PackRejection | { code: 'StaleVersion'; version: number } };

type Refusal = Extract<PackOutcome, { accepted: false }>;
export type NoAccess = { accepted: false; rejection: { code: 'CreatorAccessRequired' | 'CreatorSuspended' } };

/** Drafts a pack, with a cover drawn from its genre and name. Answers its id. */
export class DraftPack extends Command<{ packId: string; outcome: PackOutcome }> {
  constructor(
    readonly userId: string,
    readonly info: z.infer<typeof NewPackBody>,
    /** Made here where the caller has none. */
    readonly packId?: string,
    readonly at?: Date,
  ) {
    super();
  }
}

export class ChangePackInfo extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly change: z.infer<typeof PackInfoBody>,
  ) {
    super();
  }
}

export type CoverOutcome = PackOutcome | { accepted: false; rejection: ImageRejection };

export class ReplaceCover extends Command<CoverOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly bytes: Buffer,
  ) {
    super();
  }
}

/** Decided by the pack alone. */
export abstract class DecideOnPack extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly decision: Unsigned<PackCommand>,
  ) {
    super();
  }
}

export class ReorderSamples extends DecideOnPack {
  constructor(writer: PackWriter, sampleIds: string[]) {
    super(writer, { type: 'ReorderSamples', sampleIds });
  }
}

export class ChangeDefaultCost extends DecideOnPack {
  constructor(writer: PackWriter, { creditCost, applyToAll }: z.infer<typeof DefaultCostBody>) {
    super(writer, { type: 'ChangeDefaultCost', priceCredits: creditCost, applyToAll });
  }
}

export class ChangeSample extends DecideOnPack {
  constructor(writer: PackWriter, sampleId: string, change: z.infer<typeof SampleChange>) {
    super(writer, changeOf(sampleId, change));
  }
}

export function changeOf(
  sampleId: string,
  { name, creditCost, instruments, ...rest }: z.infer<typeof SampleChange>,
): Unsigned<Extract<PackCommand, { type: 'ChangeSample' }>> {
  const description = {
    ...rest,
    ...(name === undefined ? {} : { title: name }),
    ...(instruments === undefined ? {} : { instruments: [...new Set(instruments)] }),
  };
  const price = creditCost === undefined ? {} : { priceCredits: creditCost };
  return { type: 'ChangeSample', sampleId, description, ...price };
}

/** What everybody sees changes: the search has followed when this is answered, unless it is far behind. */
export abstract class ChangeOffer extends Command<PackOutcome | NoAccess> {
  abstract readonly type: 'PublishPack' | 'UnpublishPack' | 'DeletePack';

  constructor(readonly writer: PackWriter) {
    super();
  }
}

export class PublishPack extends ChangeOffer {
  readonly type = 'PublishPack';
}

export class UnpublishPack extends ChangeOffer {
  readonly type = 'UnpublishPack';
}

export class DeletePack extends ChangeOffer {
  readonly type = 'DeletePack';
}

export type SavedFacts =
  | {
      accepted: true;
      savedIds: string[];
      refused: z.infer<typeof SampleChangesAnswer>['refused'];
    }
  | Refusal;

/** Saves the facts of many samples in one step. Rows that cannot be saved are named, the others are saved. */
export class SaveSampleFacts extends Command<SavedFacts> {
  constructor(
    readonly writer: PackWriter,
    readonly rows: z.infer<typeof SampleChangesBody>['changes'],
  ) {
    super();
  }
}

export type UploadRejection =
  Refusal['rejection'] | AudioRejection | { code: 'CreatorAccessRequired' | 'CreatorSuspended' };

export type UploadOutcome =
  | { accepted: true; sample: OwnSample; version: number; duplicateOf: Twin | null }
  | { accepted: false; rejection: UploadRejection };

export interface Upload extends PackWriter {
  file: ReceivedFile;
  uploadId?: string | undefined;
  /** Takes bare AAC too. */
  isImport?: boolean;
}

/** Adds a sample. Repeating an upload id answers the first sample. The received file is removed in any case. */
export class AddSample extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly meta: z.infer<typeof SampleMeta>,
  ) {
    super();
  }
}

/** Gives a sample another original; what buyers own stays theirs. */
export class ReplaceSampleAudio extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly sampleId: string,
  ) {
    super();
  }
}

export type RemovalOutcome =
  | Refusal
  | {
      accepted: true;
      version: number;
      /** False when files that nobody can have are still stored. */
      cleanedUp: boolean;
    };

/** Takes a sample out of a pack, and its files out of the storage where nobody can have bought them. */
export class RemoveSample extends Command<RemovalOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly sampleId: string,
  ) {
    super();
  }
}

/** Stems as one archive, MIDI as one file. */
export type AttachmentKind = 'stems' | 'midi';

export type AttachmentOutcome =
  PackOutcome | NoAccess | { accepted: false; rejection: { code: 'UnsupportedAttachment' } };

/** Adds to what the buyers of a sample get. The received file is removed in any case. */
export class AttachFile extends Command<AttachmentOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly sampleId: string,
    readonly kind: AttachmentKind,
    readonly file: ReceivedFile,
  ) {
    super();
  }
}
