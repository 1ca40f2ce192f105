import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FolderPlan,
  isSameTitle,
  type PlannedPack,
  type PlannedSound,
  samplesOf,
} from '../../../application/publishing/folder/plan.js';
import { sha256Of } from '../../offcut-sync/src/node-disk.js';
import type { Progress } from '../../offcut-sync/src/sync.js';
import { NeedsPerson } from '../../offcut-sync/src/server.js';
import { type Pack, type PackCard, Refused, type Sample, type Studio } from './studio.js';

export interface Wishes {
  folder: string;
  genre: string | undefined;
  mood: string | undefined;
  dryRun: boolean;
  publish: boolean;
}

interface PackFacts {
  pack: string;
  status: PackCard['status'] | 'new';
  sounds: number;
  /** The number of the folder's sounds that the pack already has. */
  there: number;
  midi: number;
  stems: number;
  cover: string | null;
}

export type PublishEvent =
  | ({ event: 'pack' } & PackFacts)
  | { event: 'made' | 'published'; pack: string; packId: string }
  | { event: 'uploaded' | 'known'; pack: string; file: string }
  | { event: 'failed'; pack: string; file: string; reason: string }
  | { event: 'left-out'; file: string; reason: string }
  | { event: 'waiting'; seconds: number; reason: string }
  | { event: 'done'; packs: number; uploaded: number; known: number; failed: number };

interface Noted {
  /** Absent while the pack is being made. */
  packId?: string;
  hasCover: boolean;
  /** A run uploaded sounds but ended before it sorted them by the folder's order. */
  isUnsorted?: boolean;
}

const AT_ONCE = 3;
const RECORD = '.offcut-publish.json';

/** Makes the packs of a plan, and uploads what they lack. */
export class PublishRun {
  private readonly counts = { uploaded: 0, known: 0, failed: 0 };
  private record: Record<string, Noted | undefined> = {};
  private own: PackCard[] = [];
  private done = 0;
  private bytes = 0;

  constructor(
    private readonly studio: Studio,
    private readonly wishes: Wishes,
    private readonly plan: FolderPlan,
    private readonly report: (event: PublishEvent | Progress) => void,
  ) {}

  /** @returns the number of files and packs that failed @throws NeedsPerson @throws TryLater */
  async run(): Promise<number> {
    if ((await this.studio.status()) !== 'approved')
      throw new NeedsPerson('You may not upload yet. Apply as a creator on the dashboard.');
    this.own = await this.studio.packs();
    this.record = await this.readRecord();
    this.assertReady();
    for (const { path: file, reason } of this.plan.leftOut) this.report({ event: 'left-out', file, reason });
    for (const planned of this.plan.packs) {
      const found = this.ownPackFor(planned);
      const pack = found && (await this.studio.pack(found.id));
      this.report({ event: 'pack', ...factsOf(planned, pack) });
      if (!this.wishes.dryRun) await this.bring(planned, pack);
    }
    this.report({ event: 'done', packs: this.plan.packs.length, ...this.counts });
    return this.counts.failed;
  }

  /** Checks all packs before the first one is made. */
  private assertReady(): void {
    for (const planned of this.plan.packs) {
      const found = this.ownPackFor(planned);
      const { title } = planned;
      if (found?.status === 'taken_down')
        throw new NeedsPerson(`The pack ${title} was taken down and cannot be changed.`);
      if (found?.status === 'published' && !this.wishes.publish && !this.wishes.dryRun)
        throw new NeedsPerson(`The pack ${title} is on sale. Add --publish to put its new sounds on sale.`);
      if (!found && (!(planned.genre ?? this.wishes.genre) || !(planned.mood ?? this.wishes.mood)))
        throw new NeedsPerson(
          `The pack ${title} has no genre or mood. Add --genre and --mood, or write them in offcut.csv.`,
        );
    }
  }

  /** Returns the pack of an earlier run, even if renamed, or else a pack with this title. */
  private ownPackFor({ key, title }: PlannedPack): PackCard | undefined {
    const { packId } = this.noted(key) ?? {};
    return (
      this.own.find(({ id }) => id === packId) ?? this.own.find((pack) => isSameTitle(pack.title, title))
    );
  }

  private async bring(planned: PlannedPack, found: Pack | undefined): Promise<void> {
    const before = this.noted(planned.key);
    if (!found) await this.note(planned.key, { hasCover: false });
    const pack = found ?? (await this.make(planned));
    // A pack that the creator made by hand keeps its cover.
    const isOurs = !found || (before && (before.packId ?? found.id) === found.id);
    const hasCover = !isOurs || before?.hasCover === true || planned.cover === null;
    await this.note(planned.key, { packId: pack.id, hasCover, isUnsorted: before?.isUnsorted });
    if (!hasCover) await this.sendCover(planned, pack);
    const isIncomplete = samplesOf(planned.sounds, pack.samples).size < planned.sounds.length;
    const wasUnsorted = before?.isUnsorted === true;
    await this.note(planned.key, {
      packId: pack.id,
      hasCover: true,
      isUnsorted: isIncomplete || wasUnsorted,
    });
    const failedBefore = this.counts.failed;
    const uploadedBefore = this.counts.uploaded;
    await this.bringSounds(planned, pack);
    if (wasUnsorted || this.counts.uploaded > uploadedBefore) await this.sort(planned, pack.id);
    await this.note(planned.key, { packId: pack.id, hasCover: true });
    if (this.wishes.publish && this.counts.failed === failedBefore) await this.putOnSale(planned, pack);
  }

  private async make(planned: PlannedPack): Promise<Pack> {
    const { title: name, description } = planned;
    const genre = planned.genre ?? this.wishes.genre ?? '';
    const mood = planned.mood ?? this.wishes.mood ?? '';
    const pack = await this.studio.draft({ name, genre, mood, description });
    this.report({ event: 'made', pack: name, packId: pack.id });
    return pack;
  }

  private async sendCover({ title, cover }: PlannedPack, { id }: Pack): Promise<void> {
    const file = { part: 'image', path: join(this.wishes.folder, cover ?? '') };
    await this.attempt(title, cover ?? '', () =>
      this.studio.upload('PUT', `api/creator/packs/${id}/cover`, file),
    );
  }

  private async bringSounds(planned: PlannedPack, pack: Pack): Promise<void> {
    const there = samplesOf(planned.sounds, pack.samples);
    const waiting = [...planned.sounds];
    const work = async (): Promise<void> => {
      for (let sound = waiting.shift(); sound; sound = waiting.shift()) {
        await this.bringSound(planned, pack, sound, there.get(sound.path));
        this.done += 1;
        this.bytes += sound.sizeBytes;
        this.progress(sound.path);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private progress(file: string): void {
    const files = this.plan.packs.reduce((sum, { sounds }) => sum + sounds.length, 0);
    this.report({ event: 'progress', done: this.done, files, file, bytes: this.bytes });
  }

  private async bringSound(
    { title }: PlannedPack,
    { id }: Pack,
    sound: PlannedSound,
    present: Sample | undefined,
  ): Promise<void> {
    const { path } = sound;
    const sample = present ?? (await this.attempt(title, path, () => this.addSound(id, sound)));
    if (!sample) return;
    if (present) {
      this.counts.known += 1;
      this.report({ event: 'known', pack: title, file: path });
    }
    for (const [kind, has] of [
      ['midi', sample.hasMidi],
      ['stems', sample.hasStems],
    ] as const) {
      const attached = sound[kind];
      if (attached === null || has) continue;
      const file = { part: 'file', path: join(this.wishes.folder, attached) };
      const place = `api/creator/packs/${id}/samples/${sample.id}/${kind}`;
      await this.attempt(title, attached, () => this.studio.upload('PUT', place, file));
    }
  }

  /** Uploads a sound under an id made of the pack, its path and its content, so that a second run adds nothing. */
  private async addSound(packId: string, { path, meta }: PlannedSound): Promise<Sample> {
    const full = join(this.wishes.folder, path);
    const uploadId = idFrom(`${packId} ${path} ${await sha256Of(full)}`);
    const { sample } = await this.studio.upload<{ sample: Sample }>(
      'POST',
      `api/creator/packs/${packId}/samples?uploadId=${uploadId}`,
      { part: 'audio', path: full },
      { meta: JSON.stringify({ ...meta, uploadId, refuseDuplicate: true }) },
    );
    return sample;
  }

  /**
   * Sends a file and reports the result as an event. Returns undefined if the server refuses the file or the file is
   * missing, so that the run continues with the other files.
   */
  private async attempt<Body>(
    pack: string,
    file: string,
    send: () => Promise<Body>,
  ): Promise<Body | undefined> {
    try {
      const body = await send();
      this.counts.uploaded += 1;
      this.report({ event: 'uploaded', pack, file });
      return body;
    } catch (error) {
      if (!(error instanceof Refused) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      const isKnown = error instanceof Refused && error.code === 'DuplicateAudio';
      this.counts[isKnown ? 'known' : 'failed'] += 1;
      if (isKnown) this.report({ event: 'known', pack, file });
      else this.report({ event: 'failed', pack, file, reason: (error as Error).message });
      return undefined;
    }
  }

  /** Sorts sounds by the folder's order, because parallel uploads can finish out of order. */
  private async sort({ sounds }: PlannedPack, id: string): Promise<void> {
    const { samples } = await this.studio.pack(id);
    const found = samplesOf(sounds, samples);
    const sorted = sounds.flatMap(({ path }) => found.get(path)?.id ?? []);
    const others = samples.map((sample) => sample.id).filter((each) => !sorted.includes(each));
    // If another program changes the pack meanwhile, the upload order remains.
    await this.studio.order(id, [...others, ...sorted]).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }

  private async putOnSale({ title }: PlannedPack, { id, status }: Pack): Promise<void> {
    if (status === 'published') return;
    try {
      await this.studio.publish(id);
      this.report({ event: 'published', pack: title, packId: id });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.counts.failed += 1;
      this.report({ event: 'failed', pack: title, file: '', reason: error.message });
    }
  }

  private noted = (key: string): Noted | undefined => this.record[`${this.studio.origin} ${key}`];

  private async readRecord(): Promise<Record<string, Noted>> {
    // Without a record, packs are found by their titles.
    try {
      const text = await readFile(join(this.wishes.folder, RECORD), 'utf8');
      return (JSON.parse(text) as { packs?: Record<string, Noted> }).packs ?? {};
    } catch {
      return {};
    }
  }

  /** Writes the record under another name and renames it, so that it is never half written. */
  private async note(key: string, noted: Noted): Promise<void> {
    this.record[`${this.studio.origin} ${key}`] = noted;
    const path = join(this.wishes.folder, RECORD);
    await writeFile(`${path}.part`, JSON.stringify({ version: 1, packs: this.record }, null, 1));
    await rename(`${path}.part`, path);
  }
}

function factsOf({ title, sounds, cover }: PlannedPack, found: Pack | undefined): PackFacts {
  return {
    pack: title,
    status: found?.status ?? 'new',
    sounds: sounds.length,
    there: samplesOf(sounds, found?.samples ?? []).size,
    midi: sounds.filter(({ midi }) => midi !== null).length,
    stems: sounds.filter(({ stems }) => stems !== null).length,
    cover,
  };
}

/** Returns a UUID (version 8) that depends only on the text. */
function idFrom(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
