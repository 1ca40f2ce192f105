import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { Archiver, type Archive, type ArchiveEntry } from '../storage/archive.js';
import { CertificatePrinter, CertificatePages, Certificates } from './certificates.js';
import { Clock, WallClock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import {
  ArchiveInspection,
  leftOutText,
  type ArchiveContents,
  type ArchivedSample,
  type StoredPart,
} from './archive-contents.js';
import { FetchOwnedSamples, type DeliveryOutcome } from './buy-samples.js';
import type { ArchiveAnswer, ArchiveStatus, Certificate, DawProject, LeftOut } from './contract.js';
import { projectEntries, PROJECT_ENDINGS, type DawProjectOrder } from './daw-projects.js';
import { safeName } from '../../domain/shared/file-names.js';
import { OwnedFileQueries } from './queries.js';
import { TaggedCopies, taggedName } from './tagged-copies.js';

export type ZipRejection =
  | Extract<DeliveryOutcome, { accepted: false }>['rejection']
  | { code: 'SampleNotOwned'; sampleIds: string[] }
  | { code: 'Gone' | 'DownloadUnavailable'; sampleIds?: string[] };

export type ZipResult = Outcome<{ filename: string; contentType: string; archive: Archive }, ZipRejection>;

export interface ArchiveOptions {
  /** The name of the archive without its ending. */
  name?: string | undefined;
  project?: DawProjectOrder | undefined;
  /** Refuses an archive that would lack a sound. */
  isWhole?: boolean;
  /** Adds tagged WAV copies. */
  isTagged?: boolean;
}

export type ZipInspection = Outcome<
  { name: string; filename: string; sampleCount: number; leftOut: LeftOut[]; contents: ArchiveContents },
  ZipRejection
>;

const LICENSED_AT_ONCE = 100;

@Injectable()
export class ZipDownloads {
  constructor(
    private readonly owned: OwnedFileQueries,
    private readonly inspection: ArchiveInspection,
    private readonly commands: CommandBus,
    private readonly certificates: Certificates,
    private readonly printer: CertificatePrinter,
    private readonly pages: CertificatePages,
    private readonly storage: ObjectStorage,
    private readonly archiver: Archiver,
    private readonly clock: Clock,
    private readonly tagged: TaggedCopies,
  ) {}

  /** Checks an archive before it is sent. `leftOut` lists the files that it omits. @throws StorageUnavailable */
  async inspect(
    userId: string,
    ids: readonly string[],
    { name: wanted, project, isWhole = false }: ArchiveOptions = {},
  ): Promise<ZipInspection> {
    const sampleIds = [...new Set(ids)];
    const files = await this.owned.find(userId, sampleIds);
    const missing = sampleIds.filter((id) => !files.some((file) => file.sampleId === id));
    if (missing.length > 0) return reject({ code: 'SampleNotOwned', sampleIds: missing });
    const contents = await this.inspection.of(userId, files);
    const { leftOut } = contents;
    const silent = leftOut.filter(({ what }) => what === 'sound');
    const sampleCount = files.length - silent.length;
    if (sampleCount === 0 || (isWhole && silent.length > 0)) {
      const gone = silent.some(({ reason }) => reason === 'taken-down');
      const sampleIds = silent.map(({ sampleId }) => sampleId);
      return reject({ code: gone ? 'Gone' : 'DownloadUnavailable', sampleIds });
    }
    const day = this.clock.now().toISOString().slice(0, 10);
    const count = sampleCount === 1 ? '1 sample' : `${sampleCount} samples`;
    const name = wanted === undefined ? `Offcut ${day}, ${count}` : safeName(wanted);
    const filename = `${name}${project ? PROJECT_ENDINGS[project.format] : '.zip'}`;
    return { accepted: true, name, filename, sampleCount, leftOut, contents };
  }

  /** Sends an archive without a charge. @throws StorageUnavailable before the first byte */
  async pack(userId: string, ids: readonly string[], options: ArchiveOptions = {}): Promise<ZipResult> {
    const inspected = await this.inspect(userId, ids, options);
    if (!inspected.accepted) return inspected;
    const { contents, name, filename } = inspected;
    const licensed = await this.license(userId, contents.samples);
    if (!licensed.accepted) return licensed;
    const { project, isTagged = false } = options;
    const entries = await this.entries(userId, contents, licensed.certificateIds, isTagged);
    if (project) entries.push(...projectEntries(project, name, contents.samples, this.clock.now()));
    const contentType = project?.format === 'dawproject' ? 'application/octet-stream' : 'application/zip';
    return { accepted: true, filename, contentType, archive: await this.archiver.pack(entries) };
  }

  /** Licenses the current version of each sample, as every download does. Refuses if a sample would cost credits. */
  private async license(
    userId: string,
    samples: readonly ArchivedSample[],
  ): Promise<Outcome<{ certificateIds: Map<string, string> }, ZipRejection>> {
    const certificateIds = new Map(samples.map(({ file }) => [file.sampleId, file.certificateId]));
    const sampleIds = samples.flatMap(({ file, sound }) => (sound ? [file.sampleId] : []));
    for (let from = 0; from < sampleIds.length; from += LICENSED_AT_ONCE) {
      const delivered = await this.commands.execute(
        new FetchOwnedSamples(userId, sampleIds.slice(from, from + LICENSED_AT_ONCE)),
      );
      if (!delivered.accepted) return delivered;
      for (const { sampleId, certificateId } of delivered.items) certificateIds.set(sampleId, certificateId);
    }
    return { accepted: true, certificateIds };
  }

  private async entries(
    userId: string,
    { samples, leftOut }: ArchiveContents,
    certificateIds: ReadonlyMap<string, string>,
    isTagged: boolean,
  ): Promise<ArchiveEntry[]> {
    const modifiedAt = this.clock.now();
    const entries: ArchiveEntry[] = [];
    const rows: object[] = [];
    for (const sample of samples) {
      const { file, name } = sample;
      const certificate = await this.certificates.read(userId, certificateIds.get(file.sampleId) as string);
      if (!certificate) throw new Error(`sample ${file.sampleId} is owned without a certificate`);
      const parts = [sample.sound, sample.midi, sample.stems].flatMap((part) => part ?? []);
      entries.push(
        ...parts.map((part) => this.stored(part, modifiedAt)),
        { name: `certificates/${name}.json`, modifiedAt, bytes: asJson(certificate) },
        {
          name: `certificates/${name}.pdf`,
          modifiedAt,
          // A PDF takes long to print, so each one is printed only when the archive has reached it.
          make: () => this.printer.print(certificate, this.pages.addressOf(certificate.id)),
        },
      );
      const copy = isTagged && sample.sound ? await this.tagged.copyOf(file, certificate) : undefined;
      if (copy) entries.push({ name: `tagged/${taggedName(sample.stem)}`, modifiedAt, ...copy });
      rows.push(manifestRow(sample, certificate));
    }
    const manifest = { createdAt: modifiedAt.toISOString(), licenseeId: userId, samples: rows, leftOut };
    const notIncluded = { name: 'not included.txt', modifiedAt, bytes: Buffer.from(leftOutText(leftOut)) };
    return [
      { name: 'manifest.json', modifiedAt, bytes: asJson(manifest) },
      ...(leftOut.length > 0 ? [notIncluded] : []),
      ...entries,
    ];
  }

  private stored({ path, key, sizeBytes }: StoredPart, modifiedAt: Date): ArchiveEntry {
    return { name: path, modifiedAt, sizeBytes, open: async () => (await this.storage.get(key)).body };
  }
}

const asJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

function manifestRow({ file, name, sound, midi, stems }: ArchivedSample, certificate: Certificate): object {
  return {
    file: sound?.path ?? null,
    midi: midi?.path ?? null,
    stems: stems?.path ?? null,
    sampleId: file.sampleId,
    title: file.title,
    pack: file.packTitle,
    creator: file.creatorName,
    bpm: file.bpm,
    key: file.key,
    sizeBytes: sound?.sizeBytes ?? 0,
    sha256: file.sha256,
    certificate: `certificates/${name}.json`,
    certificateId: certificate.id,
  };
}

const LIFETIME_MS = 60 * 60_000;

export interface ArchiveTicket {
  ticketId: string;
  userId: string;
  sampleIds: string[];
  name: string | null;
  expiresAt: Date;
}

export abstract class ArchiveTicketStore {
  /** Stores a ticket. Deletes tickets that expired before `now`. */
  abstract issue(ticket: ArchiveTicket, now: Date): Promise<void>;
  /** Returns a ticket. Undefined if it is unknown, expired or another user's. */
  abstract find(
    ticketId: string,
    userId: string,
    now: Date,
  ): Promise<{ ticket: ArchiveTicket; status: ArchiveStatus['status'] } | undefined>;
  /** Records that a download began, and deletes the outcome of an earlier attempt. */
  abstract begin(ticketId: string, at: Date): Promise<void>;
  abstract end(ticketId: string, whole: boolean, at: Date): Promise<void>;
}

/** A ticket stores which samples an archive contains, because an address cannot contain that many ids. */
@Injectable()
export class ArchiveTickets {
  constructor(
    private readonly zips: ZipDownloads,
    private readonly store: ArchiveTicketStore,
    private readonly clock: WallClock,
  ) {}

  /** @throws StorageUnavailable */
  async issue(
    userId: string,
    sampleIds: readonly string[],
    { name, project }: { name?: string | undefined; project?: DawProject | undefined },
  ): Promise<Outcome<{ answer: ArchiveAnswer }, ZipRejection>> {
    const inspected = await this.zips.inspect(userId, sampleIds, { name, project });
    if (!inspected.accepted) return inspected;
    const now = this.clock.now();
    const ticket = {
      ticketId: randomUUID(),
      userId,
      sampleIds: [...sampleIds],
      name: name ?? null,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    };
    await this.store.issue(ticket, now);
    const { filename, sampleCount, leftOut } = inspected;
    const query = new URLSearchParams(
      Object.entries(project ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, String(value)]])),
    );
    const url = `/api/library/archives/${ticket.ticketId}.zip${project ? `?${query}` : ''}`;
    const expiresAt = ticket.expiresAt.toISOString();
    return {
      accepted: true,
      answer: { id: ticket.ticketId, url, filename, sampleCount, leftOut, expiresAt },
    };
  }

  async status(userId: string, ticketId: string): Promise<ArchiveStatus | undefined> {
    const found = await this.store.find(ticketId, userId, this.clock.now());
    return found && { status: found.status };
  }

  /** Opens the archive of a ticket. @returns undefined if the ticket is unknown, expired or another user's */
  async open(userId: string, ticketId: string, project?: DawProject): Promise<ZipResult | undefined> {
    const found = await this.store.find(ticketId, userId, this.clock.now());
    if (!found) return undefined;
    const { sampleIds, name } = found.ticket;
    const result = await this.zips.pack(userId, sampleIds, { name: name ?? undefined, project });
    if (result.accepted) await this.store.begin(ticketId, this.clock.now());
    return result;
  }

  async close(ticketId: string, whole: boolean): Promise<void> {
    await this.store.end(ticketId, whole, this.clock.now());
  }
}
