import { Command } from '@nestjs/cqrs';
import type * as z from 'zod';
import type { PackCommand } from '../../domain/publishing/pack-messages.js';
import type { StemsRefused } from '../../domain/publishing/stems.js';
import type { ImageRejection } from '../media/image-studio.js';
import type { NoAccess } from './creators.js';
import type { PackOutcome, PackWriter, Unsigned } from './packs.js';
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

/** Drafts a pack, with a cover drawn from its genre and name. Answers its id. */
export class DraftPack extends Command<{ packId: string; outcome: PackOutcome }> {
  constructor(
    readonly userId: string,
    readonly info: z.infer<typeof NewPackBody>,
    /** Made here if the caller gives none. */
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
  /** Takes bare AAC too. */
  isImport?: boolean;
  /** Ends the analysis, by its reason; what is being stored is finished. */
  signal?: AbortSignal | undefined;
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

/** Gives a sample another original; buyers keep what they own. */
export class ReplaceSampleAudio extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly sampleId: string,
  ) {
    super();
  }
}

/** Gives a sample the recording back that it had before the last replacement. */
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
      /** False if files that nobody can have any more are still stored. */
      cleanedUp: boolean;
    };

/** Removes a sample from a pack, and its files from the storage if nobody can have bought them. */
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
