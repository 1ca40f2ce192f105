import { Injectable } from '@nestjs/common';
import { CollectionReader, Takedowns } from './readers.js';

/** What crawlers and chat previews read of a page. Addresses begin with `/`. */
export interface PageHead {
  title: string;
  description: string;
  /** The page's one address; absent for pages that search engines should not find. */
  canonicalPath?: string;
  imagePath?: string | null;
  audioPath?: string | null;
  kind: 'website' | 'music.album' | 'music.song' | 'profile';
  /** JSON-LD without `@context`; addresses in it begin with `/`. */
  facts?: Record<string, unknown>;
}

export type PageAnswer = { status: 200 | 404 | 410; head: PageHead } | { status: 301; path: string };

export interface PackSummary {
  title: string;
  slug: string;
  handle: string;
  creatorName: string;
  genre: string;
  mood: string;
  description: string;
  sampleCount: number;
  coverPath: string | null;
  publishedAt: string;
  /** The sample asked for, when it is in the pack. */
  sample: { id: string; title: string; durationMs: number; previewPath: string } | null;
}
export interface CreatorSummary {
  handle: string;
  displayName: string;
  bio: string;
  avatarPath: string | null;
  sampleCount: number;
  packCount: number;
}

/** The part of the catalogue that heads need: no lists, no waveforms. Finds former addresses too. */
export abstract class SummaryReader {
  abstract pack(handle: string, slug: string, sampleId: string | undefined): Promise<PackSummary | undefined>;
  abstract creator(handle: string): Promise<CreatorSummary | undefined>;
  /** Paths with the time of their last change, the newest first. */
  abstract addresses(limit: number): Promise<{ path: string; changedAt: string }[]>;
}

const SITE = 'Offcut';
const DEFAULT: PageHead = {
  title: 'Offcut · Take the leftovers. Make the record.',
  description: 'Sample packs cut from real sessions: preview all of it, spend a credit on what you keep.',
  kind: 'website',
};

/** Pages without a subject of their own, open to everybody. */
const LISTED: Record<string, string> = {
  '/': '',
  '/sounds': 'Sounds',
  '/discover': 'Discover',
  '/collections': 'Browse Collections',
  '/swipe': 'Swipe',
};
/** Pages that differ for each visitor: served, but not for crawlers. */
const UNLISTED =
  /^\/(search|library|settings|auth|dashboard|earnings|clear-cache|finance|admin|mailing-list|creator-pack\/[^/]+|certificates\/[^/]+)$|^\/(finance|admin|earnings|auth)\/.+$/;

export const LISTED_PATHS = Object.keys(LISTED);

/** Says what the page at an address is called and shows, and whether there is one. */
@Injectable()
export class PageHeads {
  constructor(
    private readonly summaries: SummaryReader,
    private readonly collections: CollectionReader,
    private readonly takedowns: Takedowns,
  ) {}

  /** @param path as in the address, undecoded */
  async at(path: string, query: URLSearchParams): Promise<PageAnswer> {
    const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path;
    const title = LISTED[trimmed];
    if (title !== undefined)
      return found({ ...DEFAULT, ...(title ? { title: `${title} · ${SITE}` } : {}), canonicalPath: trimmed });
    const [, kind, ...segments] = trimmed.split('/').map(decoded);
    const [first, second] = segments;
    if (kind === 'pack' && first && second && segments.length === 2)
      return this.pack(first, second, query.get('sample') ?? undefined);
    if (kind === 'creator' && first && segments.length === 1) return this.creator(first);
    if (kind === 'collection' && first && segments.length === 1) return this.collection(first);
    return UNLISTED.test(trimmed) ? found(DEFAULT) : absent('Page not found');
  }

  private async pack(slug: string, handle: string, sampleId: string | undefined): Promise<PageAnswer> {
    const pack = await this.summaries.pack(handle, slug, sampleId);
    if (!pack)
      return (await this.takedowns.hasPack(handle, slug))
        ? absent('Pack taken down', 410)
        : absent('Pack not found');
    const path = `/pack/${encodeURIComponent(pack.slug)}/${encodeURIComponent(pack.handle)}`;
    const wanted = pack.sample ? `${path}?${new URLSearchParams({ sample: pack.sample.id })}` : path;
    if (pack.slug !== slug || pack.handle !== handle) return { status: 301, path: wanted };
    return found(pack.sample ? sampleHead(pack, pack.sample, path, wanted) : packHead(pack, path));
  }

  private async creator(handle: string): Promise<PageAnswer> {
    const creator = await this.summaries.creator(handle);
    if (!creator) return absent('Creator not found');
    const path = `/creator/${encodeURIComponent(creator.handle)}`;
    if (creator.handle !== handle) return { status: 301, path };
    const { displayName, bio, avatarPath, sampleCount, packCount } = creator;
    const counts = `${counted(sampleCount, 'sample')} in ${counted(packCount, 'pack')}`;
    return found({
      title: `${displayName} · ${SITE}`,
      description: shortened(bio) || `${counts} by ${displayName}. Hear all of it, keep what you like.`,
      canonicalPath: path,
      imagePath: avatarPath,
      kind: 'profile',
      facts: {
        '@type': 'ProfilePage',
        mainEntity: { ...artist(creator), ...(avatarPath ? { image: avatarPath } : {}), description: bio },
      },
    });
  }

  private async collection(slug: string): Promise<PageAnswer> {
    const collection = await this.collections.bySlug(slug);
    if (!collection) return absent('Collection not found');
    const { name, description, artworkUrl, packs } = collection;
    return found({
      title: `${name} · ${SITE}`,
      description: shortened(description) || DEFAULT.description,
      canonicalPath: `/collection/${encodeURIComponent(collection.slug)}`,
      imagePath: artworkUrl,
      kind: 'website',
      facts: {
        '@type': 'CollectionPage',
        name,
        description,
        hasPart: packs.slice(0, 20).map((pack) => ({
          '@type': 'MusicAlbum',
          name: pack.title,
          url: `/pack/${encodeURIComponent(pack.slug)}/${encodeURIComponent(pack.creator.handle)}`,
        })),
      },
    });
  }
}

function packHead(pack: PackSummary, path: string): PageHead {
  const { title, creatorName, genre, mood, sampleCount, coverPath, publishedAt } = pack;
  return {
    title: `${title} by ${creatorName} · ${SITE}`,
    description:
      shortened(pack.description) ||
      `${counted(sampleCount, 'sample')} by ${creatorName}: ${genre}, ${mood.toLowerCase()}. Hear all of it, keep what you like.`,
    canonicalPath: path,
    imagePath: coverPath,
    kind: 'music.album',
    facts: {
      '@type': 'MusicAlbum',
      name: title,
      url: path,
      byArtist: artist({ handle: pack.handle, displayName: creatorName }),
      genre,
      numTracks: sampleCount,
      datePublished: publishedAt,
      ...(coverPath ? { image: coverPath } : {}),
    },
  };
}

function sampleHead(
  pack: PackSummary,
  sample: NonNullable<PackSummary['sample']>,
  packPath: string,
  path: string,
): PageHead {
  return {
    title: `${sample.title} by ${pack.creatorName} · ${SITE}`,
    description: `From the pack “${pack.title}”: ${pack.genre}, ${pack.mood.toLowerCase()}. Hear it, keep it for credits.`,
    // The pack's page shows it; the one address is the pack's.
    canonicalPath: packPath,
    imagePath: pack.coverPath,
    audioPath: sample.previewPath,
    kind: 'music.song',
    facts: {
      '@type': 'MusicRecording',
      name: sample.title,
      url: path,
      byArtist: artist({ handle: pack.handle, displayName: pack.creatorName }),
      inAlbum: { '@type': 'MusicAlbum', name: pack.title, url: packPath },
      duration: `PT${(sample.durationMs / 1_000).toFixed(1)}S`,
      audio: sample.previewPath,
      ...(pack.coverPath ? { image: pack.coverPath } : {}),
    },
  };
}

const artist = ({ handle, displayName }: { handle: string; displayName: string }) => ({
  '@type': 'MusicGroup',
  name: displayName,
  url: `/creator/${encodeURIComponent(handle)}`,
});

const found = (head: PageHead): PageAnswer => ({ status: 200, head });
const absent = (title: string, status: 404 | 410 = 404): PageAnswer => ({
  status,
  head: { ...DEFAULT, title: `${title} · ${SITE}` },
});

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** One line of at most 200 characters. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= 200 ? line : `${letters.slice(0, 199).join('').trimEnd()}…`;
}

/** An address that cannot be decoded names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
