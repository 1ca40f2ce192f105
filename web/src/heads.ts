import type { Collection, CreatorProfile, PackDetail, Sample } from '../../application/catalogue/contract.js';
import type { PageHead } from '../../application/pages/contract.js';
import { titleOf } from './page.js';
import { packPath, paths } from './paths.js';
import { countOf, titleBy } from './ui/format.js';

export const DEFAULT_HEAD: PageHead = {
  title: titleOf(),
  description: 'Sample packs cut from real sessions: preview all of it, spend a credit on what you keep.',
  kind: 'website',
};
const LISTED_PACKS = 20;

/** @param search may name one sample of the pack */
export function packHead(pack: PackDetail, search: URLSearchParams): PageHead {
  const sample = pack.samples.find(({ id }) => id === search.get('sample'));
  if (sample) return sampleHead(pack, sample);
  const { title, creator, genre, mood, sampleCount, artworkUrl, publishedAt } = pack;
  const path = packPath(pack);
  return {
    title: titleOf(titleBy(title, creator)),
    description:
      shortened(pack.description) ||
      `${countOf(sampleCount, 'sample')} by ${creator.displayName}: ${genre}, ${mood.toLowerCase()}. Hear all of it, keep what you like.`,
    canonicalPath: path,
    imagePath: artworkUrl,
    kind: 'music.album',
    facts: {
      '@type': 'MusicAlbum',
      name: title,
      url: path,
      byArtist: artist(creator),
      genre,
      numTracks: sampleCount,
      datePublished: publishedAt,
      ...(artworkUrl ? { image: artworkUrl } : {}),
    },
  };
}

function sampleHead(pack: PackDetail, sample: Sample): PageHead {
  const path = packPath(pack);
  return {
    title: titleOf(titleBy(sample.title, pack.creator)),
    description: `From the pack “${pack.title}”: ${pack.genre}, ${pack.mood.toLowerCase()}. Hear it, keep it for credits.`,
    // The sample has no page of its own, so the canonical address is the pack's.
    canonicalPath: path,
    imagePath: pack.artworkUrl,
    audioPath: sample.previewUrl,
    kind: 'music.song',
    facts: {
      '@type': 'MusicRecording',
      name: sample.title,
      url: `${path}?${new URLSearchParams({ sample: sample.id })}`,
      byArtist: artist(pack.creator),
      inAlbum: { '@type': 'MusicAlbum', name: pack.title, url: path },
      duration: `PT${(sample.durationMs / 1_000).toFixed(1)}S`,
      ...(sample.previewUrl ? { audio: sample.previewUrl } : {}),
      ...(pack.artworkUrl ? { image: pack.artworkUrl } : {}),
    },
  };
}

export function creatorHead(creator: CreatorProfile): PageHead {
  const { handle, displayName, bio, avatarUrl, totalSamples, totalPacks } = creator;
  const counts = `${countOf(totalSamples, 'sample')} in ${countOf(totalPacks, 'pack')}`;
  return {
    title: titleOf(displayName),
    description: shortened(bio) || `${counts} by ${displayName}. Hear all of it, keep what you like.`,
    canonicalPath: paths.creator(handle),
    imagePath: avatarUrl,
    kind: 'profile',
    facts: {
      '@type': 'ProfilePage',
      mainEntity: { ...artist(creator), ...(avatarUrl ? { image: avatarUrl } : {}), description: bio },
    },
  };
}

export function collectionHead({ name, description, slug, artworkUrl, packs }: Collection): PageHead {
  return {
    title: titleOf(name),
    description: shortened(description) || DEFAULT_HEAD.description,
    canonicalPath: paths.collection(slug),
    imagePath: artworkUrl,
    kind: 'website',
    facts: {
      '@type': 'CollectionPage',
      name,
      description,
      hasPart: packs.slice(0, LISTED_PACKS).map((pack) => ({
        '@type': 'MusicAlbum',
        name: pack.title,
        url: packPath(pack),
      })),
    },
  };
}

const artist = ({ handle, displayName }: { handle: string; displayName: string }) => ({
  '@type': 'MusicGroup',
  name: displayName,
  url: paths.creator(handle),
});

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= 200 ? line : `${letters.slice(0, 199).join('').trimEnd()}…`;
}
