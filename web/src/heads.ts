import type {
  Collection,
  CreatorProfile,
  PackDetail,
  SampleDetail,
} from '../../application/catalogue/contract.js';
import type { LegalPage } from '../../application/legal/contract.js';
import type { PageHead } from '../../application/pages/contract.js';
import { titleOf } from './page.js';
import { packPath, packPathOf, paths } from './paths.js';
import { countOf, titleBy } from './ui/format.js';

export const DEFAULT_HEAD: PageHead = {
  title: titleOf(),
  description: 'Sample packs cut from real sessions: preview all of it, spend a credit on what you keep.',
  kind: 'website',
};
const LISTED_PACKS = 20;

export function packHead(pack: PackDetail): PageHead {
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

/** The head of a sample's page. Its audio is the preview, never the original. */
export function sampleHead(sample: SampleDetail): PageHead {
  const { title, creator, pack, key, bpm, genre, mood, artworkUrl, previewUrl, creditCost } = sample;
  const path = paths.sample(sample.id);
  const facts = [genre, mood.toLowerCase(), ...(bpm > 0 ? [`${bpm} BPM`] : []), ...(key ? [key] : [])];
  return {
    title: titleOf(titleBy(title, creator)),
    description: `From the pack “${pack.title}”: ${facts.join(', ')}. Hear it, keep it for ${countOf(creditCost, 'credit')}.`,
    canonicalPath: path,
    imagePath: artworkUrl,
    audioPath: previewUrl,
    kind: 'music.song',
    facts: {
      '@type': 'MusicRecording',
      name: title,
      url: path,
      byArtist: artist(creator),
      inAlbum: { '@type': 'MusicAlbum', name: pack.title, url: packPathOf(sample) },
      genre,
      duration: `PT${(sample.durationMs / 1_000).toFixed(1)}S`,
      ...(previewUrl ? { audio: previewUrl } : {}),
      ...(artworkUrl ? { image: artworkUrl } : {}),
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

export function legalHead({ document, title, isCurrent }: LegalPage): PageHead {
  return {
    title: titleOf(title),
    description: `${title} of this shop.`,
    // Search engines list no page without a canonical address. Earlier versions are only for people who accepted them.
    ...(isCurrent && { canonicalPath: paths.legal(document) }),
    kind: 'website',
  };
}
