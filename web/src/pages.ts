import { query } from './api/api.js';
import { collectionTabOf, collectionsQuery, legalQuery, packQuery } from './api/catalogue.js';
import { page } from './page.js';
import { paths, searchHeading } from './paths.js';

const heads = () => import('./heads.js');

/** Every page, keyed by the folder of its screen. */
export const PAGES = {
  home: page(paths.home, {
    crawlers: 'listed',
    screen: () => import('./screens/home/home-screen.js'),
    load: () => query('GET /api/home'),
    drawn: [],
  }),
  sounds: page(paths.sounds, {
    title: 'Sounds',
    crawlers: 'listed',
    screen: () => import('./screens/sounds/sounds-screen.js'),
    load: () => query('GET /api/sounds'),
    drawn: ['new-releases', 'popular-this-week', 'trending-genres', 'featured-collections'].map(
      (row) => `row=${row}`,
    ),
  }),
  discover: page(paths.discover, {
    title: 'Discover',
    crawlers: 'listed',
    screen: () => import('./screens/discover/discover-screen.js'),
    load: () => query('GET /api/discover'),
    drawn: [],
  }),
  search: page(paths.search(), {
    titleAt: searchHeading,
    crawlers: 'closed',
    screen: () => import('./screens/search/search-screen.js'),
    queries: () => import('./screens/search/first-queries.js'),
    drawn: 'any',
  }),
  pack: page('/pack/:slug?/:creator?', {
    title: 'Pack',
    screen: () => import('./screens/pack/pack-screen.js'),
    load: ({ params: { slug, creator } }) => (slug && creator ? packQuery(creator, slug) : undefined),
    head: async () => (await heads()).packHead,
    embeddable: true,
    drawn: ['back=collections'],
  }),
  preview: page('/preview/:token', {
    title: 'Preview',
    screen: () => import('./screens/preview/preview-screen.js'),
  }),
  sample: page('/sample/:id', {
    title: 'Sample',
    screen: () => import('./screens/sample/sample-screen.js'),
    load: ({ params: { id = '' } }) => query('GET /api/samples/:id', { params: { id } }),
    head: async () => (await heads()).sampleHead,
    embeddable: true,
    drawn: [],
  }),
  collections: page(paths.collections, {
    title: 'Browse Collections',
    crawlers: 'listed',
    screen: () => import('./screens/collections/collections-screen.js'),
    load: ({ search }) => collectionsQuery(collectionTabOf(search)),
  }),
  collection: page('/collection/:slug', {
    title: 'Collection',
    screen: () => import('./screens/collection/collection-screen.js'),
    load: ({ params: { slug = '' } }) => query('GET /api/collections/:slug', { params: { slug } }),
    head: async () => (await heads()).collectionHead,
    drawn: [],
  }),
  creator: page('/creator/:creator?', {
    title: 'Creator',
    screen: () => import('./screens/creator/creator-screen.js'),
    load: ({ params: { creator } }) =>
      creator ? query('GET /api/creators/:handle', { params: { handle: creator } }) : undefined,
    head: async () => (await heads()).creatorHead,
    drawn: [],
  }),
  swipe: page(paths.swipe, {
    title: 'Swipe',
    crawlers: 'listed',
    screen: () => import('./screens/swipe/swipe-screen.js'),
    queries: () => import('./screens/swipe/first-queries.js'),
  }),
  workbench: page('/workbench/:id?', {
    title: 'Workbench',
    screen: () => import('./screens/workbench/workbench-screen.js'),
  }),
  'shared-workbench': page('/workbench/shared/:token', {
    title: 'Shared workbench',
    embeddable: true,
    screen: () => import('./screens/shared-workbench/shared-workbench-screen.js'),
  }),
  auth: page(paths.auth(), {
    crawlers: 'closed',
    screen: () => import('./screens/auth/auth-screen.js'),
  }),
  gifts: page(paths.gifts, {
    title: 'Gifts',
    access: 'user',
    invitation: 'give credits, or redeem a code',
    crawlers: 'closed',
    screen: () => import('./screens/gifts/gifts-screen.js'),
  }),
  settings: page(paths.settings, {
    title: 'Settings',
    access: 'user',
    invitation: 'see your account, plan and credits',
    crawlers: 'closed',
    screen: () => import('./screens/settings/settings-screen.js'),
    queries: () => import('./screens/settings/first-queries.js'),
  }),
  library: page('/library', {
    title: 'My Library',
    access: 'user',
    invitation: 'see what you saved and downloaded',
    crawlers: 'closed',
    screen: () => import('./screens/library/library-screen.js'),
    queries: () => import('./screens/library/first-queries.js'),
  }),
  'own-collection': page('/library/collections/:id', {
    title: 'Collection',
    access: 'user',
    invitation: 'see your collections',
    crawlers: 'closed',
    screen: () => import('./screens/own-collection/own-collection-screen.js'),
    queries: () => import('./screens/own-collection/first-queries.js'),
  }),
  'shared-collection': page('/shared/:token', {
    title: 'Shared collection',
    embeddable: true,
    screen: () => import('./screens/shared-collection/shared-collection-screen.js'),
    queries: () => import('./screens/shared-collection/first-queries.js'),
  }),
  invitation: page('/invitation/:token', {
    title: 'Invitation',
    access: 'user',
    invitation: 'see the collection to which you are invited to add',
    screen: () => import('./screens/invitation/invitation-screen.js'),
    queries: () => import('./screens/invitation/first-queries.js'),
  }),
  following: page(paths.following, {
    title: 'Following',
    access: 'user',
    invitation: 'follow creators, genres, moods and instruments',
    crawlers: 'closed',
    screen: () => import('./screens/following/following-screen.js'),
    queries: () => import('./screens/following/first-queries.js'),
  }),
  inbox: page(paths.inbox, {
    title: 'Inbox',
    access: 'user',
    invitation: 'read your inbox',
    crawlers: 'closed',
    screen: () => import('./screens/inbox/inbox-screen.js'),
    queries: () => import('./screens/inbox/first-queries.js'),
  }),
  offline: page(paths.offline, {
    title: 'Offline',
    screen: () => import('./screens/offline/offline-screen.js'),
  }),
  redeem: page(paths.redeem, {
    title: 'Redeem a code',
    access: 'user',
    invitation: 'redeem a code',
    crawlers: 'closed',
    screen: () => import('./screens/redeem/redeem-screen.js'),
  }),
  sell: page(paths.sell, {
    title: 'Sell your sounds',
    crawlers: 'listed',
    screen: () => import('./screens/sell/sell-screen.js'),
  }),
  dashboard: page(paths.dashboard, {
    title: 'Creator Dashboard',
    access: 'user',
    invitation: 'reach the creator area',
    crawlers: 'closed',
    screen: () => import('./screens/dashboard/dashboard-screen.js'),
    queries: () => import('./screens/dashboard/first-queries.js'),
  }),
  earnings: page(paths.earnings, {
    title: 'Sales',
    access: 'payee',
    crawlers: 'closed',
    screen: () => import('./screens/earnings/earnings-screen.js'),
    queries: () => import('./screens/earnings/first-queries.js'),
  }),
  'pack-editor': page('/creator-pack/:slug', {
    title: 'Edit pack',
    access: 'user',
    invitation: 'reach the creator area',
    screen: () => import('./screens/pack-editor/pack-editor-screen.js'),
    queries: () => import('./screens/pack-editor/first-queries.js'),
  }),
  certificate: page('/certificates/:id', {
    title: 'Verify a certificate',
    screen: () => import('./screens/certificate/certificate-screen.js'),
    queries: () => import('./screens/certificate/first-queries.js'),
  }),
  admin: page('/admin/*', {
    title: 'Administration',
    access: 'admin',
    invitation: 'reach the administration',
    screen: () => import('./screens/admin/admin-screen.js'),
    queries: () => import('./screens/admin/first-queries.js'),
  }),
  finance: page('/finance/*', {
    title: 'Finance',
    access: 'finance',
    invitation: 'reach the books',
    screen: () => import('./screens/finance/finance-screen.js'),
    queries: () => import('./screens/finance/first-queries.js'),
  }),
  complaint: page('/complaint/:id?', {
    title: 'Complaint',
    screen: () => import('./screens/complaint/complaint-screen.js'),
  }),
  legal: page('/legal/:document', {
    title: 'Legal text',
    screen: () => import('./screens/legal/legal-screen.js'),
    load: ({ params: { document }, search }) => (document ? legalQuery(document, search) : undefined),
    head: async () => (await heads()).legalHead,
    drawn: [],
  }),
  withdraw: page(paths.withdraw, {
    title: 'Withdraw from contract',
    screen: () => import('./screens/withdraw/withdraw-screen.js'),
  }),
  'mailing-list': page('/mailing-list', {
    title: 'Mailing list',
    screen: () => import('./screens/mailing-list/mailing-list-screen.js'),
  }),
  'clear-cache': page(paths.clearCache, {
    title: 'Clear cache',
    screen: () => import('./screens/clear-cache/clear-cache-screen.js'),
  }),
  'not-found': page('*', {
    title: 'Page not found',
    screen: () => import('./screens/not-found/not-found-screen.js'),
  }),
};
