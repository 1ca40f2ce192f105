const segment = encodeURIComponent;

/** Addresses of the client's pages, for links in the client and on the server. `staffPaths` has more staff pages. */
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
  sample: (id: string) => `/sample/${segment(id)}`,
  collections: '/collections',
  collection: (slug: string) => `/collection/${segment(slug)}`,
  ownCollection: (id: string) => `/library/collections/${segment(id)}`,
  workbench: '/workbench',
  creator: (handle: string) => `/creator/${segment(handle)}`,
  swipe: '/swipe',
  following: '/following',
  librarySaved: '/library?saved',
  libraryCollections: '/library?collections',
  libraryDownloads: '/library?downloads',
  inbox: '/inbox',
  offline: '/offline',
  settings: '/settings',
  credits: '/settings?tab=credits',
  auth: (returnTo?: string) => (returnTo ? `/auth?${new URLSearchParams({ returnTo })}` : '/auth'),
  forgotPassword: '/auth?forgot',
  sell: '/sell',
  dashboard: '/dashboard',
  dashboardProfile: '/dashboard?tab=profile',
  creatorPack: (slug: string) => `/creator-pack/${segment(slug)}`,
  earnings: '/earnings',
  finance: '/finance',
  admin: '/admin',
  clearCache: '/clear-cache',
  verifyCertificate: '/certificates/verify',
  legal: (document: string) => `/legal/${document}`,
  withdraw: '/withdraw',
  certificate: (id: string) => `/certificates/${segment(id)}`,
} as const;

/** Addresses that only the server links to. They are separate, because the client's first load carries `paths`. */
export const serverPaths = {
  security: '/settings?tab=security',
  authWith: (search: Record<string, string>) => `/auth?${new URLSearchParams(search)}`,
  dashboardAfterOnboarding: (outcome: string) => `/dashboard?stripe_onboarding=${outcome}`,
  complaint: (id: string, search: Record<string, string> = {}) =>
    `/complaint/${id}${Object.keys(search).length > 0 ? `?${new URLSearchParams(search)}` : ''}`,
  mailingList: (search: Record<string, string>) => `/mailing-list?${new URLSearchParams(search)}`,
  searchBy: (facet: string, label: string) => `/search?${facet}=${segment(label)}`,
  sharedCollection: (token: string) => `/shared/${segment(token)}`,
  sharedWorkbench: (token: string) => `/workbench/shared/${segment(token)}`,
  invitation: (token: string) => `/invitation/${segment(token)}`,
  genre: (slug: string) => `/collection/genre-${slug}`,
} as const;
