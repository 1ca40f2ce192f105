import { businessNow } from '../../clock.js';
import type { Sample } from '../../../../application/catalogue/contract.js';
import type { DownloadPage, SavedPage } from '../../../../application/library/contract.js';
import { type Picked, pickOf } from '../../picks/picks.js';
import { formatDay } from '../../ui/format.js';

export interface Entry {
  key: string;
  title: string;
  creator: string;
  pack: string;
  artworkUrl: string | null;
  genre: string;
  createdAt: string;
  /** Null for a sample that left the catalogue, and for a pack. */
  sample: Sample | null;
  isPack: boolean;
  download: DownloadPage['items'][number] | null;
}

/**
 * Returns the address of a picture if it is on this site. Addresses that an older client saved may point to any site,
 * and loading the picture would reveal the visitor to that site.
 */
const ownPicture = (address: string | null | undefined): string | null =>
  address?.startsWith('/media/') ? address : null;

export function savedEntry(row: SavedPage['items'][number]): Entry {
  const { item, sample } = row;
  return {
    key: row.id,
    title: sample?.title ?? item.title ?? item.name ?? 'Sample',
    creator: sample?.creator.displayName ?? item.artist ?? item.creator ?? '',
    pack: sample?.pack.title ?? item.pack ?? '',
    artworkUrl: sample ? sample.artworkUrl : ownPicture(item.artwork),
    genre: sample?.genre ?? item.genre ?? '',
    createdAt: row.createdAt,
    sample,
    isPack: item.type === 'pack',
    download: null,
  };
}

export function downloadEntry(row: DownloadPage['items'][number]): Entry {
  return {
    key: row.id,
    title: row.track,
    creator: row.creator,
    pack: row.pack,
    artworkUrl: row.artwork,
    genre: row.sample?.genre ?? '',
    createdAt: row.createdAt,
    sample: row.sample,
    isPack: false,
    download: row,
  };
}

/** Returns what the checkbox of an entry picks; null for a pack, and for a saved sample that left the catalogue. */
export function pickOfEntry({ title, sample, download }: Entry): Picked | null {
  if (download) {
    const { sampleId: id, sizeBytes } = download;
    return { id, title, sample: sample && { ...sample, owned: true }, sizeBytes };
  }
  return sample && pickOf(sample);
}

/**
 * The list around a row, in its order: the samples that play one after another, and everything that the visitor can
 * pick.
 */
export interface Neighbours {
  queue: readonly Sample[];
  things: readonly Picked[];
}

export const ORDERS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title',
  creator: 'Creator',
} as const;
export type Order = keyof typeof ORDERS;

const COMPARE: Record<Order, (a: Entry, b: Entry) => number> = {
  newest: (a, b) => b.createdAt.localeCompare(a.createdAt),
  oldest: (a, b) => a.createdAt.localeCompare(b.createdAt),
  title: (a, b) => a.title.localeCompare(b.title, 'en'),
  creator: (a, b) => a.creator.localeCompare(b.creator, 'en') || a.title.localeCompare(b.title, 'en'),
};

export function arranged(entries: readonly Entry[], text: string, order: Order): Entry[] {
  const wanted = text.trim().toLowerCase();
  return entries
    .filter(({ title, creator, pack }) => `${title} ${creator} ${pack}`.toLowerCase().includes(wanted))
    .sort(COMPARE[order]);
}

const dayKey = (time: Date) => `${time.getFullYear()}-${time.getMonth()}-${time.getDate()}`;

/** Returns "Today", "Yesterday" or "12 November", with the year if the date is not in the current year. */
export function dayName(iso: string, now = new Date(businessNow())): string {
  const time = new Date(iso);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (dayKey(time) === dayKey(now)) return 'Today';
  if (dayKey(time) === dayKey(yesterday)) return 'Yesterday';
  const day = formatDay(iso);
  return time.getFullYear() === now.getFullYear() ? day.replace(/ \d{4}$/, '') : day;
}

/** Entries by day if they are in order of time, otherwise one group without a name. */
export function grouped(entries: readonly Entry[], order: Order) {
  if (order === 'title' || order === 'creator') return [{ name: null, entries }];
  const groups: { name: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const name = dayName(entry.createdAt);
    const last = groups.at(-1);
    if (last?.name === name) last.entries.push(entry);
    else groups.push({ name, entries: [entry] });
  }
  return groups;
}
