import { Command } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import type { StemsRefused } from '../../domain/publishing/stems.js';
import type { ImageRejection } from '../media/image-studio.js';
import type { NoAccess } from './creators.js';
import type { PackOutcome, PackWriter, WithoutActor } from './packs.js';
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
import type { DuplicateSample } from './queries.js';

type Refusal = Extract<PackOutcome, { accepted: false }>;

/** Drafts a pack with a cover drawn from its genre and name. Answers its id. */
export class DraftPack extends Command<{ packId: string; outcome: PackOutcome }> {
  constructor(
    readonly userId: string,
    readonly info: z.infer<typeof NewPackBody>,
    /** Random if absent. */
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

/** A decision that needs no facts outside the pack. */
export abstract class DecideOnPack extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
    readonly decision: WithoutActor<PackCommand>,
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
): WithoutActor<Extract<PackCommand, { type: 'ChangeSample' }>> {
  const description = {
    ...rest,
    ...(name === undefined ? {} : { title: name }),
    ...(instruments === undefined ? {} : { instruments: [...new Set(instruments)] }),
  };
  const price = creditCost === undefined ? {} : { priceCredits: creditCost };
  return { type: 'ChangeSample', sampleId, description, ...price };
}

export type SavedFacts =
  | {
      accepted: true;
      savedIds: string[];
      refused: z.infer<typeof SampleChangesAnswer>['refused'];
    }
  | Refusal;

/** Saves facts of many samples in one step. Skips and names the rows that cannot be saved. */
export class SaveSampleFacts extends Command<SavedFacts> {
  constructor(
    readonly writer: PackWriter,
    readonly rows: z.infer<typeof SampleChangesBody>['changes'],
  ) {
    super();
  }
}

export type UploadRejection =
  | Refusal['rejection']
  | AudioRejection
  | NoAccess['rejection']
  | { code: 'UploadCancelled' };

export type UploadOutcome =
  | { accepted: true; sample: OwnSample; version: number; duplicateOf: DuplicateSample | null }
  | { accepted: false; rejection: UploadRejection };

export interface Upload extends PackWriter {
  file: ReceivedFile;
  uploadId?: string | undefined;
  /** Accepts bare AAC streams. */
  isImport?: boolean;
  /** Aborts the analysis with its reason. Files that are being stored are still completed. */
  signal?: AbortSignal | undefined;
}

/** Adds a sample. A repeated upload id answers the first sample. Always removes the received file. */
export class AddSample extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly meta: z.infer<typeof SampleMeta>,
  ) {
    super();
  }
}

/** Replaces the original of a sample. Buyers keep the version that they bought. */
export class ReplaceSampleAudio extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly sampleId: string,
  ) {
    super();
  }
}

/** Restores the recording that a sample had before its last replacement. */
export class UndoReplacement extends Command<PackOutcome> {
  constructor(
    readonly writer: PackWriter,
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
      /** False if the storage failed to delete files that no buyer can own. */
      cleanedUp: boolean;
    };

/** Removes a sample from a pack, and its files from the storage if no buyer can own them. */
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
  | PackOutcome
  | NoAccess
  | { accepted: false; rejection: { code: 'UnsupportedAttachment' } | StemsRefused };

/** Attaches stems or MIDI to a sample, for its buyers. Always removes the received file. */
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
