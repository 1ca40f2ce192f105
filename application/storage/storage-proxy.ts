import { Injectable } from '@nestjs/common';
import { ObjectStorage, pagesOf, type ListedObject } from './object-storage.js';
import { SampleFileQueries, PackFolderQueries } from './queries.js';
import { Lane, CAPACITY } from '../shared/lanes.js';
import { BUCKET, type StorageItem, type StorageListQuery } from './contract.js';
import { contentTypeOf, fileUrlOf, isInLayout, isListed, isPublic, packOf, trimPath } from './layout.js';
import { CreatorFolders } from './creator-folders.js';

/** Limits a listing to several times the maximum size of a pack. */
const MOST_PAGES = 20;

export type ReadDecision =
  | { kind: 'public'; key: string }
  | { kind: 'original'; key: string; fileName: string }
  | { kind: 'absent' }
  | { kind: 'refused' };

/** A read-only view of the bucket. It lists all files of visible packs, but serves originals only to entitled users. */
@Injectable()
export class StorageProxy {
  private readonly lane = new Lane({ work: 'listings', ...CAPACITY.listings });

  constructor(
    private readonly storage: ObjectStorage,
    private readonly files: SampleFileQueries,
    private readonly packs: PackFolderQueries,
    private readonly folders: CreatorFolders,
  ) {}

  /** Lists one folder; undefined for another bucket or a path outside the layout. @throws RangeError for a bad path */
  async list(userId: string | undefined, query: StorageListQuery): Promise<StorageItem[] | undefined> {
    const asked = trimPath(query.prefix);
    if (query.bucket !== BUCKET || (asked !== '' && !isInLayout(asked))) return undefined;
    const folder = await this.meant(asked);
    const place = packOf(folder);
    const visible = place && (await this.packs.visible(place.creator, userId));
    if (place?.pack !== undefined && !visible?.has(place.pack)) return [];
    const prefix = folder === '' ? '' : `${folder}/`;
    const items = await this.lane.run(() => this.itemsBelow(prefix, asked));
    const wanted = query.search.toLowerCase();
    return (asked === 'Users' ? await this.byHandles(items) : items)
      .filter(({ name, id }) => !visible || place?.pack !== undefined || id !== null || visible.has(name))
      .filter(({ name }) => isListed(folder, name) && name.toLowerCase().includes(wanted))
      .sort(byColumn(query.sortColumn, query.sortOrder))
      .slice(query.offset, query.offset + query.limit);
  }

  /** @param userId undefined for visitors @throws RangeError for a bad path */
  async decide(userId: string | undefined, request: { bucket: string; path: string }): Promise<ReadDecision> {
    const asked = trimPath(request.path);
    if (request.bucket !== BUCKET || !isInLayout(asked)) return { kind: 'absent' };
    const key = await this.meant(asked);
    if (isPublic(key))
      return (await this.isVisible(userId, key)) ? { kind: 'public', key } : { kind: 'absent' };
    const fileName = key.slice(key.lastIndexOf('/') + 1);
    if (await this.files.mayRead(userId, key)) return { kind: 'original', key, fileName };
    const isThere = (await this.isVisible(userId, key)) && (await this.storage.head(key));
    return isThere ? { kind: 'refused' } : { kind: 'absent' };
  }

  private async itemsBelow(prefix: string, asked: string): Promise<StorageItem[]> {
    const items: StorageItem[] = [];
    let pages = 0;
    for await (const found of pagesOf(this.storage, { prefix, delimiter: '/' })) {
      for (const path of found.prefixes) items.push(folderItem(path.slice(prefix.length, -1)));
      for (const object of found.objects) items.push(fileItem(object, prefix, asked));
      if (++pages === MOST_PAGES) break;
    }
    return items;
  }

  /** Replaces the creator's handle in a path with the name of the creator's folder. */
  private async meant(path: string): Promise<string> {
    const [root, name, ...rest] = path.split('/');
    if (root !== 'Users' || name === undefined) return path;
    return [root, await this.folders.meant(name), ...rest].join('/');
  }

  private async byHandles(items: StorageItem[]): Promise<StorageItem[]> {
    const shown = await this.folders.shown(items.map(({ name }) => name));
    return items.map((item) => ({ ...item, name: shown.get(item.name) ?? item.name }));
  }

  private async isVisible(userId: string | undefined, key: string): Promise<boolean> {
    const place = packOf(key);
    if (place?.pack === undefined) return true;
    return (await this.packs.visible(place.creator, userId)).has(place.pack);
  }
}

function folderItem(name: string): StorageItem {
  return {
    id: null,
    name,
    updated_at: null,
    created_at: null,
    last_accessed_at: null,
    metadata: null,
    publicUrl: null,
  };
}

/** All three times of a file are the time when it was stored, because objects are never changed in place. */
function fileItem(object: ListedObject, prefix: string, asked: string): StorageItem {
  const name = object.key.slice(prefix.length);
  const time = object.lastModified.toISOString();
  return {
    id: object.etag,
    name,
    updated_at: time,
    created_at: time,
    last_accessed_at: time,
    metadata: { size: object.sizeBytes, mimetype: contentTypeOf(name), eTag: object.etag },
    publicUrl: fileUrlOf(asked === '' ? name : `${asked}/${name}`),
  };
}

function byColumn(column: StorageListQuery['sortColumn'], order: StorageListQuery['sortOrder']) {
  const direction = order === 'asc' ? 1 : -1;
  return (a: StorageItem, b: StorageItem): number => {
    const [left, right] = [a[column] ?? '', b[column] ?? ''];
    if (left !== right) return left < right ? -direction : direction;
    return a.name < b.name ? -1 : 1;
  };
}
