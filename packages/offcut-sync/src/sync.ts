import { fileStem, nameKey } from '../../../domain/shared/file-names.js';
import { fetchFile, OtherFile } from './fetch-file.js';
import type { Folder } from './folder.js';
import { NotDelivered, type PartKind, type Purchase, type Shop } from './shop.js';

/** The progress of a run, for display. */
export interface Progress {
  event: 'progress';
  done: number;
  files: number;
  file: string;
  bytes: number;
}

export type SyncEvent =
  | { event: 'downloaded' | 'found'; sampleId: string; kind: PartKind; file: string; sha256: string }
  | { event: 'renamed'; sampleId: string; kind: PartKind; file: string; from: string }
  | { event: 'skipped' | 'failed'; sampleId: string; kind: PartKind; file: string; reason: string }
  | { event: 'waiting'; seconds: number; reason: string }
  | Progress
  | { event: 'done'; files: number; downloaded: number; renamed: number; skipped: number; failed: number };

interface Part {
  /** The name of the part in the record of the folder. */
  id: string;
  sampleId: string;
  kind: PartKind;
  ending: string;
  sha256: string | null;
  sizeBytes: number | null;
}

interface Target extends Part {
  stem: string;
  file: string;
}

const PARKED = /^\.offcut-.*\.moved$/;
/** Codes of refusals that count as skipped, not as failed, because the user may not download the file. */
const NOT_FOR_DOWNLOAD = ['StudioPlanRequired', 'Gone'];

/** How many times to read the list of purchases at most, if originals are replaced meanwhile. */
const LISTS_LIMIT = 3;

/** Brings the folder up to date with the purchases once. */
class SyncRun {
  private readonly counts = { downloaded: 0, renamed: 0, skipped: 0, failed: 0 };
  /** A file has another hash than listed: the original was replaced since. */
  private outdated = false;
  /** Partial files that the next run continues. */
  private readonly continued = new Set<string>();

  constructor(
    private readonly shop: Shop,
    private readonly folder: Folder,
    private readonly report: (event: SyncEvent) => void,
  ) {}

  /** @returns what was done, and whether the list of purchases was outdated */
  async run(template: string | undefined): Promise<{ failed: number; outdated: boolean }> {
    const chosen = template ?? (await this.shop.template());
    const purchases = await this.shop.purchases();
    await this.folder.look();
    const targets = await this.nameAll(purchases, chosen);
    await this.moveAll(targets);
    try {
      for (const [done, target] of targets.entries()) {
        this.shop.stopped.throwIfAborted();
        await this.bring(target, done, targets.length);
      }
    } finally {
      await this.folder.save();
    }
    await this.folder.removePartials(this.continued);
    this.report({ event: 'done', files: targets.length, ...this.counts });
    return { failed: this.counts.failed, outdated: this.outdated };
  }

  /**
   * Gives each part a file name. If names are equal, adds numbers in the order of purchase. Does not use a name that
   * an unrelated file has.
   */
  private async nameAll(purchases: readonly Purchase[], template: string): Promise<Target[]> {
    const current = new Set(purchases.flatMap(partsOf).map(({ id }) => id));
    const taken = new Set<string>();
    const targets: Target[] = [];
    for (const purchase of purchases) {
      const parts = partsOf(purchase);
      const name = fileStem(template, { ...purchase, title: purchase.track });
      let stem = name;
      for (let n = 2; taken.has(nameKey(stem)) || !(await this.fits(parts, stem, current)); n += 1)
        stem = `${name} (${n})`;
      taken.add(nameKey(stem));
      targets.push(...parts.map((part) => ({ ...part, stem, file: stem + part.ending })));
    }
    return targets;
  }

  private async fits(parts: readonly Part[], stem: string, current: ReadonlySet<string>): Promise<boolean> {
    for (const part of parts) {
      const found = this.folder.nameOnDisk(stem + part.ending);
      if (found === undefined) continue;
      const owner = this.folder.ownerOf(found);
      // An unchanged file of a listed purchase does not block its name, because `moveAll` can give that file another
      // name.
      if (owner !== undefined && current.has(owner) && (await this.folder.isUntouched(owner))) continue;
      const { sha256, sizeBytes } = part;
      if (sha256 === null || sizeBytes === null) return false;
      if (!(await this.folder.contains(found, { sha256, sizeBytes }))) return false;
      // The record may name another file for this part, or none, for example because the user renamed files by hand.
      await this.folder.record(part.id, found, sha256);
      this.report({ event: 'found', sampleId: part.sampleId, kind: part.kind, file: found, sha256 });
    }
    return true;
  }

  private async moveAll(targets: readonly Target[]): Promise<void> {
    const moves: Target[] = [];
    for (const target of targets) {
      await this.recordParked(target);
      if (this.folder.kept(target.id)?.name !== target.file && (await this.folder.isUntouched(target.id)))
        moves.push(target);
    }
    const names = new Set(moves.map(({ file }) => nameKey(file)));
    const before = new Map(moves.map(({ id }) => [id, this.folder.kept(id)?.name ?? '']));
    // Files move to temporary names first, because two files may swap names, and on many systems KICK and Kick name
    // the same file.
    for (const move of moves) {
      const from = before.get(move.id) ?? '';
      if (names.has(nameKey(from))) await this.folder.move(move.id, parkedOf(move));
    }
    for (const { id, sampleId, kind, file } of moves) {
      await this.folder.move(id, file);
      this.counts.renamed += 1;
      const from = before.get(id) ?? '';
      if (!PARKED.test(from)) this.report({ event: 'renamed', sampleId, kind, file, from });
    }
  }

  /** Finds the file again if the program was killed after it had parked the file and before it saved the record. */
  private async recordParked(target: Target): Promise<void> {
    const parked = parkedOf(target);
    const kept = this.folder.kept(target.id);
    if (!kept || this.folder.nameOnDisk(parked) === undefined) return;
    if ((await this.folder.isUntouched(target.id)) || !(await this.folder.contains(parked, kept))) return;
    await this.folder.record(target.id, parked, kept.sha256);
  }

  private async bring(target: Target, done: number, files: number): Promise<void> {
    const { id, sampleId, kind, file, sizeBytes } = target;
    const kept = this.folder.kept(id);
    const isThere = (await this.folder.isUntouched(id)) && kept?.name === file;
    if (isThere && (target.sha256 === null || kept.sha256 === target.sha256)) return;
    const partial = partialOf(target);
    const { disk } = this.folder;
    let bytes = 0;
    const onBytes = (count: number) =>
      this.report({ event: 'progress', done, files, file, bytes: (bytes += count) });
    try {
      const address = () => this.shop.addressOf(sampleId, kind);
      await fetchFile(this.shop, disk, { address, name: partial, sizeBytes }, onBytes);
    } catch (error) {
      if (error instanceof OtherFile) return this.discard(target);
      if (!(error instanceof NotDelivered)) throw error;
      const event = NOT_FOR_DOWNLOAD.includes(error.code) ? 'skipped' : 'failed';
      this.counts[event] += 1;
      if (event === 'failed') this.continued.add(partial);
      return this.report({ event, sampleId, kind, file, reason: error.message });
    }
    // Reads what the disk has, not what the network sent.
    const sha256 = await disk.sha256(partial);
    if (target.sha256 !== null && sha256 !== target.sha256) return this.discard(target);
    // Nothing is deleted: the former version may be in use in a project.
    if (isThere) await this.folder.rename(file, this.formerName(target), kept.sha256);
    await this.folder.rename(partial, file, sha256);
    await this.folder.record(id, file, sha256);
    await this.folder.saveSometimes();
    this.counts.downloaded += 1;
    this.report({ event: 'downloaded', sampleId, kind, file, sha256 });
  }

  private async discard(target: Target): Promise<void> {
    const { sampleId, kind, file } = target;
    await this.folder.disk.remove(partialOf(target));
    this.outdated = true;
    this.counts.failed += 1;
    const reason = 'The file differs from the list. The creator may have replaced it meanwhile.';
    this.report({ event: 'failed', sampleId, kind, file, reason });
  }

  private formerName({ stem, ending }: Target): string {
    let name = `${stem} (former)${ending}`;
    for (let n = 2; this.folder.nameOnDisk(name) !== undefined; n += 1)
      name = `${stem} (former ${n})${ending}`;
    return name;
  }
}

/** Repeats a run whose list of purchases was outdated. @returns the number of files that failed */
export async function syncOnce(
  shop: Shop,
  folder: Folder,
  report: (event: SyncEvent) => void,
  template?: string,
): Promise<number> {
  for (let list = 1; ; list += 1) {
    const { failed, outdated } = await new SyncRun(shop, folder, report).run(template);
    if (!outdated || list === LISTS_LIMIT) return failed;
  }
}

function partsOf({ sampleId, format, sha256, sizeBytes, midi, stems }: Purchase): Part[] {
  const part = (kind: PartKind, ending: string, of: Pick<Part, 'sha256' | 'sizeBytes'>): Part => ({
    ...of,
    id: `${sampleId}/${kind}`,
    sampleId,
    kind,
    ending,
  });
  return [
    part('sound', `.${format}`, { sha256, sizeBytes }),
    ...(midi ? [part('midi', '.mid', midi)] : []),
    ...(stems ? [part('stems', ' (stems).zip', stems)] : []),
  ];
}

const parkedOf = ({ sampleId, kind }: Part): string => `.offcut-${sampleId}.${kind}.moved`;

/** The name contains the hash, so that a download never continues the partial file of a replaced original. */
const partialOf = ({ sampleId, kind, sha256 }: Part): string =>
  `.offcut-${sampleId}.${kind}.${(sha256 ?? 'unknown').slice(0, 16)}.part`;
