import { Readable } from 'node:stream';
import type { Segment } from '../../platform/search/segment.js';
import { segmentBytes, segmentFrom, SEGMENT_FORMAT } from '../../platform/search/segment-file.js';
import type { WallClock } from '../../../application/shared/clock.js';
import {
  objectsIn,
  type ListedObject,
  type ObjectStorage,
} from '../../../application/storage/object-storage.js';
import type { Database } from '../../platform/database/database.js';
import { SOUND_VERSION } from '../../../domain/catalogue/sound/facts.js';
import { buildIndex, positionOfIndex, type IndexPosition } from './index-feed.js';

const FOLDER = 'search/';
/** Segments contain sound descriptors, so the format also changes with the version of the descriptors. */
const FORMAT = SEGMENT_FORMAT * 1_000 + SOUND_VERSION;
const KEPT = 3;
/** Smaller catalogues need no snapshot: a node can read their search table as quickly. */
const LEAST_SAMPLES = 20_000;
const WRITTEN_EVERY_MS = 10 * 60_000;
/** Snapshots of other versions and formats are kept this long, because nodes of these versions may still run. */
const OTHERS_KEPT_MS = 30 * 86_400_000;

const newestFirst = (a: ListedObject, b: ListedObject): number =>
  b.lastModified.getTime() - a.lastModified.getTime() || (a.key < b.key ? 1 : -1);

/**
 * Snapshots of a large catalogue's search index in the storage. A worker writes them, and nodes start from the
 * newest. Each version of the search table and each format has a folder, so that a node reads only what it
 * understands. The filename contains the position and hash of the log, so that a node does not load a snapshot of
 * another log.
 */
export class IndexSnapshots {
  constructor(
    private readonly database: Database,
    private readonly storage: ObjectStorage,
    private readonly clock: WallClock,
    private readonly log: { warn(message: string): void },
    private readonly leastSamples = LEAST_SAMPLES,
  ) {}

  /**
   * Writes a snapshot if the latest one is at least ten minutes old and the search table has changed
   * since. Call it from one worker at a time.
   */
  async write(): Promise<void> {
    if (!(await this.isWorthwhile())) return;
    const all = await objectsIn(this.storage, FOLDER);
    const now = this.clock.now().getTime();
    const { version, position } = await positionOfIndex(this.database.db);
    const here = all.filter(({ key }) => key.startsWith(folderOf(version))).sort(newestFirst);
    const [latest] = here;
    if (latest && now - latest.lastModified.getTime() < WRITTEN_EVERY_MS) return;
    if (latest && latest.key === (await this.keyOf({ version, position }))) return;
    const built = await buildIndex(this.database, () => false);
    const log = built && (await this.logAt(built.position));
    if (!built || log === undefined) return;
    const body = Readable.from(segmentBytes(built.segment, { ...built, log }), { objectMode: false });
    await this.storage.put(keyFor(built, log), body, { contentType: 'application/octet-stream' });
    const outlived = all.filter(
      ({ key, lastModified }) =>
        !key.startsWith(folderOf(version)) && now - lastModified.getTime() > OTHERS_KEPT_MS,
    );
    for (const { key } of [...here.slice(KEPT - 1), ...outlived]) await this.storage.delete(key);
  }

  /** Returns the newest snapshot that is intact and made from this log. */
  async newest(): Promise<(IndexPosition & { segment: Segment }) | undefined> {
    if (!(await this.isWorthwhile())) return undefined;
    const now = await positionOfIndex(this.database.db);
    for (const object of (await objectsIn(this.storage, folderOf(now.version))).sort(newestFirst)) {
      const position = Number(/(\d+)-[0-9a-f]+\.idx$/.exec(object.key)?.[1]);
      if (!(position <= now.position)) continue;
      if (object.key !== (await this.keyOf({ version: now.version, position }))) continue;
      try {
        const { segment, origin } = await segmentFrom(await this.bytesOf(object));
        if (keyFor(origin, origin.log) !== object.key) throw new Error('its content belongs to another key');
        return { segment, version: origin.version, position };
      } catch (error) {
        this.log.warn(`the snapshot ${object.key} of the search index: ${(error as Error).message}`);
      }
    }
    return undefined;
  }

  private async isWorthwhile(): Promise<boolean> {
    const last = await this.database.db
      .selectFrom('catalogue_sample')
      .select('sample_id')
      .offset(this.leastSamples - 1)
      .limit(1)
      .executeTakeFirst();
    return last !== undefined;
  }

  private async bytesOf({ key, sizeBytes }: ListedObject): Promise<ArrayBuffer> {
    const { body } = await this.storage.get(key);
    const bytes = new Uint8Array(sizeBytes);
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (length + chunk.length > sizeBytes) throw new Error('it is longer than listed');
      bytes.set(chunk, length);
      length += chunk.length;
    }
    if (length < sizeBytes) throw new Error('it is shorter than listed');
    return bytes.buffer;
  }

  private async keyOf(at: IndexPosition): Promise<string | undefined> {
    const log = await this.logAt(at.position);
    return log === undefined ? undefined : keyFor(at, log);
  }

  /** Returns the hash of an event. The hash identifies the log, because it depends on all events before. */
  private async logAt(position: number): Promise<string | undefined> {
    const event = await this.database.db
      .selectFrom('event')
      .select('hash')
      .where('position', '=', position)
      .executeTakeFirst();
    return event && event.hash.toString('hex');
  }
}

const folderOf = (version: number): string => `${FOLDER}${version}/${FORMAT}/`;

const keyFor = ({ version, position }: IndexPosition, log: string): string =>
  `${folderOf(version)}${position}-${log.slice(0, 32)}.idx`;
