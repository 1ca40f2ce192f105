import { createReadStream } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { ReceivedFile } from '../../application/publishing/samples/working-files.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import { refusalOf } from '../../application/publishing/imports/bucket-sample.js';
import { AUDIO_KINDS, AUDIO_LIMIT_MIB, AUDIO_LIMIT_MINUTES } from '../../application/publishing/values.js';
import { fileKey } from '../../application/publishing/pack-json.js';
import { attachedTo, describeFile, sha256Of, type FoundFolder } from './folder.js';
import type { ImportTools } from './import-tools.js';
import { CommandRefused } from '../refused.js';
import { AddSample } from '../../application/publishing/samples/sample-uploads.js';
import { AttachFile } from '../../application/publishing/samples/attach-file.js';
import { PricePack, ReorderSamples } from '../../application/publishing/change-pack.js';
import { PublishPack } from '../../application/publishing/publish-pack.js';

interface Content {
  sha256: string;
  sizeBytes: number;
  /** Absent if another file with the same content is imported instead. */
  uploadId?: string;
}

export class FolderImport {
  added = 0;
  known = 0;
  /** Sample ids by path, to sort the pack by the folder's order at the end. */
  private readonly samples = new Map<string, string>();
  private readonly failed = new Map<string, string>();
  private readonly contents = new Map<string, Content>();

  constructor(
    private readonly importTools: ImportTools,
    private readonly writer: { userId: string; packId: string },
    private readonly folder: string,
    private readonly found: FoundFolder,
  ) {}

  /** Equal files are imported once, unless `pack.json` lists both: a pack may contain a recording twice. */
  async look(): Promise<void> {
    const seen = new Map<string, Set<unknown>>();
    for (const path of this.found.audio) {
      const content = await sha256Of(path).catch((error: Error) => void this.failed.set(path, error.message));
      if (!content) continue;
      const rows = seen.get(content.sha256) ?? new Set();
      const row = this.found.listed?.samples.get(fileKey(path));
      const comes = rows.size === 0 || (row !== undefined && !rows.has(row));
      // Files with the same content are numbered in the order of `found.audio`, so that every import of the folder
      // uses the same ids.
      const uploadId = `import ${content.sha256}${rows.size === 0 ? '' : ` ${rows.size + 1}`}`;
      this.contents.set(path, { ...content, uploadId: comes ? uploadId : undefined });
      seen.set(content.sha256, rows.add(row));
    }
  }

  newFiles(pack: OwnPack): number {
    const present = new Set(pack.samples.map(({ sha256 }) => sha256));
    return [...this.contents.values()].filter(
      ({ uploadId, sha256 }) => uploadId !== undefined && !present.has(sha256),
    ).length;
  }

  async take(path: string): Promise<void> {
    try {
      await this.import(path);
    } catch (error) {
      this.failed.set(path, (error as Error).message);
    }
  }

  private async import(path: string): Promise<void> {
    const content = this.contents.get(path);
    if (!content) return;
    const { commands, uploads } = this.importTools;
    const { userId, packId } = this.writer;
    const { uploadId, ...size } = content;
    const earlier = uploadId && (await uploads.earlier(userId, packId, uploadId));
    if (earlier) this.samples.set(path, earlier.id);
    if (!uploadId || earlier) {
      this.known += 1;
      return;
    }
    const meta = await describeFile(path, this.found.listed);
    const file = { ...(await this.received(path)), ...size };
    const outcome = await commands.execute(new AddSample({ ...this.writer, uploadId, file }, meta));
    if (!outcome.accepted) return void this.failed.set(path, reasonOf(outcome.rejection));
    this.added += 1;
    this.samples.set(path, outcome.sample.id);
    await this.attach(path, outcome.sample.id);
  }

  /** Attaches stems and MIDI to a sample. Reports attachments that fail; the sample stays. */
  private async attach(path: string, sampleId: string): Promise<void> {
    for (const kind of ['stems', 'midi'] as const) {
      const attached = attachedTo(path, kind, this.found);
      if (!attached) continue;
      const outcome = await this.importTools.commands.execute(
        new AttachFile(this.writer, sampleId, kind, await this.received(attached)),
      );
      if (!outcome.accepted) this.failed.set(attached, reasonOf(outcome.rejection));
    }
  }

  /** Copies the file, because `AddSample` and `AttachFile` remove the file that they receive. */
  private async received(path: string): Promise<ReceivedFile> {
    return { ...(await this.importTools.files.write(createReadStream(path))), filename: basename(path) };
  }

  /** Sorts the pack by the folder's order. Publishes the pack only if `publish` is set, whatever `pack.json` says. */
  async finish(publish: boolean): Promise<void> {
    const { writer } = this;
    const pack = (await this.importTools.ownPacks.find(writer.userId, writer.packId)) as OwnPack;
    const ids = pack.samples.map((sample) => sample.id);
    const imported = this.found.audio.flatMap((path) => this.samples.get(path) ?? []);
    const sampleIds = [
      ...ids.filter((id) => !imported.includes(id)),
      ...imported.filter((id) => ids.includes(id)),
    ];
    if (this.added > 0 && sampleIds.length > 1 && sampleIds.join() !== ids.join())
      await this.importTools.commands.execute(new ReorderSamples(writer, sampleIds));
    await this.price(pack);
    if (!publish || pack.status === 'published' || ids.length === 0) return;
    const published = await this.importTools.commands.execute(
      // A pack that is published again keeps the date of its first publication.
      new PublishPack({
        ...writer,
        at: pack.status === 'draft' ? this.found.listed?.publishedAt : undefined,
        takesUnstated: true,
      }),
    );
    if (!published.accepted)
      throw new CommandRefused(`the pack was not published: ${refusalOf(published.rejection)}`);
  }

  /** Sets a draft's pack price from `pack.json`, unless the pack already has a price. */
  private async price({ status, priceCredits }: OwnPack): Promise<void> {
    const listed = this.found.listed?.packCreditCost;
    if (listed === undefined || status !== 'draft' || priceCredits !== null) return;
    const outcome = await this.importTools.commands.execute(new PricePack(this.writer, listed));
    if (!outcome.accepted) this.failed.set(join(this.folder, 'pack.json'), reasonOf(outcome.rejection));
  }

  failures(): { file: string; reason: string }[] {
    const unsupported = this.found.unsupported.map((path) => [path, `not a ${AUDIO_KINDS} file`] as const);
    const listed = this.found.listedUnreadable
      ? [[join(this.folder, 'pack.json'), 'is not valid JSON'] as const]
      : [];
    return [...this.failed, ...unsupported, ...listed].map(([path, reason]) => ({
      file: relative(this.folder, path),
      reason,
    }));
  }
}

const REASONS: Record<string, string> = {
  UnsupportedAudioType: `not a ${AUDIO_KINDS} file, despite its name`,
  AudioEmpty: 'contains no sound',
  AudioTooLong: `longer than ${AUDIO_LIMIT_MINUTES} minutes`,
  AudioTooLarge: `larger than ${AUDIO_LIMIT_MIB} MiB`,
  TooManySamples: 'the pack is full',
  UnsupportedAttachment: 'not a ZIP archive or MIDI file, despite its name',
  NotFound: 'was removed from this pack before. Add it in the editor',
};

function reasonOf(rejection: { code: string; reason?: string; detail?: string }): string {
  if (rejection.code === 'AudioUnreadable') return `cannot be read: ${rejection.reason ?? 'damaged'}`;
  return REASONS[rejection.code] ?? refusalOf(rejection);
}
