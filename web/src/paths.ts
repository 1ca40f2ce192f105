import type { PackCard, Sample } from '../../application/catalogue/contract.js';

const segment = encodeURIComponent;

/** Every address of the client, except those of staff pages. Links must use these. */
export const paths = {
  home: '/',
  pricing: '/#pricing',
  sounds: '/sounds',
  soundsRow: (row: string) => `/sounds?row=${segment(row)}`,
  discover: '/discover',
  discoverRow: (row: string) => `/discover?row=${segment(row)}`,
  search: (query = '') => (query ? `/search?${new URLSearchParams({ q: query })}` : '/search'),
  inKey: (key: string) => `/search?${new URLSearchParams({ key })}`,
  pack: ({ creator, slug }: { creator: string; slug: string }, back?: 'collections') =>
    `/pack/${segment(slug)}/${segment(creator)}${back ? `?back=${back}` : ''}`,
  collections: '/collections',
  collection: (slug: string) => `/collection/${segment(slug)}`,
  creator: (handle: string) => `/creator/${segment(handle)}`,
  swipe: '/swipe',
  librarySaved: '/library?saved',
  libraryDownloads: '/library?downloads',
  settings: '/settings',
  credits: '/settings?tab=credits',
  auth: (returnTo?: string) => (returnTo ? `/auth?${new URLSearchParams({ returnTo })}` : '/auth'),
  forgotPassword: '/auth?forgot',
  dashboard: '/dashboard',
  dashboardProfile: '/dashboard?tab=profile',
  creatorPack: (slug: string) => `/creator-pack/${segment(slug)}`,
  earnings: '/earnings',
  finance: '/finance',
  admin: '/admin',
  clearCache: '/clear-cache',
  verifyCertificate: '/certificates/verify',
  certificate: (id: string) => `/certificates/${segment(id)}`,
} as const;

/** The library tab of an address, `saved` by default. */
export const libraryTabOf = (search: URLSearchParams) =>
  search.has('downloads') && !search.has('saved') ? 'downloads' : 'saved';

export function packPath(pack: Pick<PackCard, 'slug' | 'creator'>): string {
  return paths.pack({ slug: pack.slug, creator: pack.creator.handle });
}

export function packPathOf(sample: Pick<Sample, 'pack' | 'creator'>): string {
  return paths.pack({ slug: sample.pack.slug, creator: sample.creator.handle });
}
