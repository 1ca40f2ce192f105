import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StemsRefused } from '../../../domain/publishing/stems.js';
import { reject } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { freshFileName } from '../covers.js';
import { Creators, type NoAccess } from '../creators/creators.js';
import { Packs, type PackOutcome, type PackWriter } from '../packs.js';
import { OwnPackQueries } from '../queries.js';
import { WorkingFiles, type ReceivedFile } from './working-files.js';

export abstract class StemsArchives {
  /** Unpacks every file without storing it. @returns the reason for a refusal; undefined if the archive may be sold */
  abstract check(path: string): Promise<StemsRefused | undefined>;
}

export type AttachmentKind = 'stems' | 'midi';

export type AttachmentOutcome = PackOutcome<NoAccess | { code: 'UnsupportedAttachment' } | StemsRefused>;

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

const KINDS = {
  stems: {
    extension: 'zip',
    magic: Buffer.from('PK\x03\x04', 'latin1'),
    contentType: 'application/zip',
    command: 'AttachStems',
  },
  midi: {
    extension: 'mid',
    magic: Buffer.from('MThd', 'latin1'),
    contentType: 'audio/midi',
    command: 'AttachMidi',
  },
} as const satisfies Record<AttachmentKind, object>;

@CommandHandler(AttachFile)
export class AttachFileHandler implements ICommandHandler<AttachFile> {
  constructor(
    private readonly packs: Packs,
    private readonly own: OwnPackQueries,
    private readonly creators: Creators,
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
    private readonly stems: StemsArchives,
    private readonly clock: Clock,
  ) {}

  async execute({ writer, sampleId, kind, file }: AttachFile): Promise<AttachmentOutcome> {
    const { userId, packId } = writer;
    const { extension, magic, contentType, command } = KINDS[kind];
    try {
      const obstacle = await this.creators.obstacle(userId);
      if (obstacle) return reject(obstacle);
      const place = await this.own.place(userId, packId);
      if (!place) return reject({ code: 'NotFound' });
      const head = await this.files.read(file.path, magic.length);
      if (!head.equals(magic)) return reject({ code: 'UnsupportedAttachment' });
      const refused = kind === 'stems' ? await this.stems.check(file.path) : undefined;
      if (refused) return reject(refused);
      const path = `Packs/${place.folder}/${kind}/${freshFileName(this.clock.now())}.${extension}`;
      const key = `Users/${place.creatorFolder}/${path}`;
      await this.storage.put(key, this.files.stream(file.path), { contentType, ifAbsent: true });
      const { filename, sha256, sizeBytes } = file;
      const attachment = { filename, path, sha256, sizeBytes, contentType };
      const outcome = await this.packs.decide(writer, { type: command, sampleId, attachment });
      if (!outcome.accepted) await this.storage.delete(key);
      return outcome;
    } finally {
      await this.files.remove(file.path);
    }
  }
}
