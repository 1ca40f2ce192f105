import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../../domain/shared/decision.js';
import type { StemsRefused } from '../../../domain/publishing/stems.js';
import { Clock } from '../../shared/clock.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { freshFileName, packFolder } from '../covers.js';
import { Creators, type NoAccess } from '../creators/creators.js';
import { Packs, type PackOutcome, type PackWriter } from '../packs.js';
import { OwnPackQueries } from '../queries.js';
import type { ReceivedFile } from './audio-intake.js';
import { StemsArchives } from './stems-archives.js';

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
      if (!(await startsWith(file.path, magic))) return reject({ code: 'UnsupportedAttachment' });
      const refused = kind === 'stems' ? await this.stems.check(file.path) : undefined;
      if (refused) return reject(refused);
      const path = `Packs/${place.folder}/${kind}/${freshFileName(this.clock.now())}.${extension}`;
      const key = `${packFolder(place)}${path.slice(`Packs/${place.folder}`.length)}`;
      await this.storage.put(key, createReadStream(file.path), { contentType, ifAbsent: true });
      const attachment = {
        filename: file.filename,
        path,
        sha256: file.sha256,
        sizeBytes: file.sizeBytes,
        contentType,
      };
      const outcome = await this.packs.decide(writer, { type: command, sampleId, attachment });
      if (!outcome.accepted) await this.storage.delete(key);
      return outcome;
    } finally {
      await rm(file.path, { force: true });
    }
  }
}

async function startsWith(path: string, magic: Buffer): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
    return bytesRead === magic.length && buffer.equals(magic);
  } finally {
    await file.close();
  }
}
