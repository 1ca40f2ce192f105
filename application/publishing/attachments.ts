import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import type { ReceivedFile } from './audio-intake.js';
import { freshFileName, packFolder } from './covers.js';
import { Creators } from './creators.js';
import { ExecutePackCommands, type PackOutcome } from './execute-pack-commands.js';
import type { PackWriter } from './packs.js';
import { OwnPackReader } from './readers.js';

/** What may be attached, told by its first bytes: stems as one archive, MIDI as one file. */
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
} as const;

export type AttachmentKind = keyof typeof KINDS;

export type AttachmentOutcome =
  | PackOutcome
  | {
      accepted: false;
      rejection: { code: 'UnsupportedAttachment' | 'CreatorAccessRequired' | 'CreatorSuspended' };
    };

/** Stems and MIDI of a sample: part of what its buyers get. */
@Injectable()
export class Attachments {
  constructor(
    private readonly commands: CommandBus,
    private readonly packs: OwnPackReader,
    private readonly creators: Creators,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** The received file is removed in any case. */
  async attach(
    { userId, packId, expectedVersion }: PackWriter,
    sampleId: string,
    kind: AttachmentKind,
    file: ReceivedFile,
  ): Promise<AttachmentOutcome> {
    const { extension, magic, contentType, command } = KINDS[kind];
    try {
      const obstacle = await this.creators.obstacle(userId);
      if (obstacle) return { accepted: false, rejection: obstacle };
      const place = await this.packs.place(userId, packId);
      if (!place) return { accepted: false, rejection: { code: 'NotFound' } };
      if (!(await startsWith(file.path, magic)))
        return { accepted: false, rejection: { code: 'UnsupportedAttachment' } };
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
      const now = this.clock.now().toISOString();
      const outcome = await this.commands.execute(
        new ExecutePackCommands(
          packId,
          [{ type: command, packId, actorId: userId, now, sampleId, attachment }],
          userId,
          expectedVersion,
        ),
      );
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
