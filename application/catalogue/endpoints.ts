import * as z from 'zod';
import { exactText, soughtText } from '../shared/contract.js';
import { endpointsOf, text } from '../shared/endpoint.js';
import * as contract from './contract.js';

const open = endpointsOf({ tag: 'Catalogue', access: 'public' });
/** The current address of a page that moved. */
const Moved = z.object({ redirect: z.string() });

export const listPacks = open('GET /api/packs', {
  rateLimit: 'search',
  sameForVisitors: true,
  summary: 'Lists published packs',
  query: contract.PacksQuery,
  answers: { 200: contract.PackPage },
});

export const readPack = open('GET /api/packs/:handle/:slug', {
  sameForVisitors: true,
  summary: 'Returns a pack with its samples; a former handle or slug redirects to the current address',
  answers: { 200: contract.PackDetail, 301: Moved },
  status: 200,
  problems: ['NotFound', 'TakenDown'],
});

export const readUnreleasedPack = open('GET /api/previews/:token', {
  summary: 'Returns a pack before its release, by the secret link of its creator',
  answers: { 200: contract.PackDetail },
  problems: ['NotFound'],
});

export const readCreator = open('GET /api/creators/:handle', {
  sameForVisitors: true,
  summary: 'Returns the public profile of a creator; a former handle redirects to the current address',
  answers: { 200: contract.CreatorProfile, 301: Moved },
  status: 200,
  problems: ['NotFound'],
});

export const readHome = open('GET /api/home', {
  sameForVisitors: true,
  summary: 'Returns the content of the home page',
  answers: { 200: contract.HomePage },
});

export const readSounds = open('GET /api/sounds', {
  sameForVisitors: true,
  summary: 'Returns the rows of the Sounds page',
  answers: { 200: contract.SoundsPage },
});

export const readDiscover = open('GET /api/discover', {
  sameForVisitors: true,
  summary: 'Returns the rows of the Discover page',
  answers: { 200: contract.DiscoverPage },
});

export const listCollections = open('GET /api/collections', {
  rateLimit: 'search',
  sameForVisitors: true,
  summary: 'Lists collections by tab',
  query: contract.CollectionsQuery,
  answers: { 200: contract.CollectionPage },
});

export const readCollection = open('GET /api/collections/:slug', {
  sameForVisitors: true,
  summary: 'Returns a collection with its packs',
  answers: { 200: contract.Collection },
  problems: ['NotFound'],
});

export const searchSamples = open('GET /api/samples', {
  scope: 'catalogue:read',
  rateLimit: 'search',
  rendered: true,
  summary: 'Searches samples of published packs, by text and filters',
  query: contract.SamplesQuery,
  answers: { 200: contract.SamplePage },
  problems: ['NotSignedIn'],
});

export const readSample = open('GET /api/samples/:id', {
  scope: 'catalogue:read',
  sameForVisitors: true,
  summary: 'Returns a sample that is on sale, or that the caller owns or made',
  answers: { 200: contract.SampleDetail },
  problems: ['SampleNotAvailable', 'TakenDown'],
});

export const listSimilar = open('GET /api/samples/:id/similar', {
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary: 'Lists samples that fit a sample or, with by=sound, sound like it; with reasons',
  query: contract.SimilarQuery,
  answers: { 200: contract.SimilarSamples },
  problems: ['SampleNotAvailable', 'TakenDown', 'NotSignedIn'],
});

export const searchBySound = open('POST /api/samples/by-sound', {
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary: 'Searches samples that sound like a sound, of which only its descriptors are sent',
  body: contract.BySound,
  answers: { 200: contract.SimilarSamples },
  problems: ['UnknownSoundVersion', 'NotSignedIn'],
});

export const listSoundVersions = open('GET /api/samples/by-sound/versions', {
  scope: 'catalogue:read',
  summary: 'Lists the versions of descriptors that searches by sound take',
  answers: { 200: contract.SoundVersions },
});

export const readSoundHistograms = open('GET /api/samples/by-sound/histograms', {
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary:
    'Returns how brightness, punch, decay, noisiness and warmth are spread among the samples of a search',
  query: contract.SamplesQuery,
  answers: { 200: contract.SoundHistograms },
  problems: ['NotSignedIn'],
});

export const suggestResults = open('GET /api/search/suggestions', {
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary: 'Suggests up to five results for a text',
  query: z.object({ q: soughtText(200).trim().default('') }),
  answers: { 200: contract.Suggestions },
});

export const swipe = open('GET /api/swipe', {
  rateLimit: 'search',
  summary: 'Draws random samples, without those already shown',
  query: contract.SwipeQuery,
  answers: { 200: contract.SwipeSamples },
});

const chosen = endpointsOf({
  tag: 'Administration',
  access: 'admin',
  answers: { 200: contract.FeaturedSlugs },
});

export const listFeatured = chosen('GET /api/admin/featured-collections', {
  summary: 'Lists the featured collections of the Sounds page',
});

export const chooseFeatured = chosen('PUT /api/admin/featured-collections', {
  summary: 'Replaces the featured collections of the Sounds page',
  body: contract.FeaturedSlugs,
});

const crawled = endpointsOf({ tag: 'Site', access: 'public', undescribed: true });

export const robots = crawled('GET /robots.txt', {
  summary: 'Rules for crawlers',
  answers: { 200: text('text/plain; charset=utf-8') },
});

export const securityTxt = crawled('GET /.well-known/security.txt', {
  summary: 'Contact for security reports (RFC 9116); absent if none is configured',
  answers: { 200: text('text/plain; charset=utf-8') },
  problems: ['NotFound'],
});

export const tdmRep = crawled('GET /.well-known/tdmrep.json', {
  summary: 'Text and data mining rules per page (TDM Reservation Protocol)',
  answers: { 200: text('application/json; charset=utf-8') },
});

export const tdmPolicy = crawled('GET /tdm-policy.json', {
  summary: 'Text and data mining policy (TDM Reservation Protocol)',
  answers: { 200: text('application/ld+json; charset=utf-8') },
});

const feed = endpointsOf({
  tag: 'Site',
  access: 'public',
  rateLimit: 'search',
  answers: { 200: text('application/atom+xml; charset=utf-8') },
  problems: ['NotFound'],
});

/** `file` is a handle or a tag, followed by `.atom`. */
export const readCreatorFeed = feed('GET /feeds/creators/:file', {
  summary: 'Returns the newest packs of a creator as an Atom feed',
  params: { file: soughtText(120) },
});

export const readTagFeed = feed('GET /feeds/tags/:file', {
  summary: 'Returns the newest packs with a genre, mood or instrument as an Atom feed',
  params: { file: soughtText(120) },
});

const embedded = endpointsOf({ tag: 'Site', access: 'anonymous', rateLimit: 'search' });
const page = text('text/html; charset=utf-8');

export const showEmbed = embedded('GET /embed/:kind/:id', {
  undescribed: true,
  summary: 'A player for other sites: of a sample or pack by its id, or of a collection by its shared link',
  params: { kind: soughtText(20), id: exactText().max(120) },
  answers: { 200: page, 404: page, 410: page },
  status: 200,
});

export const describeEmbed = embedded('GET /oembed', {
  summary: 'Describes the player of a page for other sites (oembed.com)',
  query: contract.OEmbedQuery,
  answers: { 200: contract.OEmbed },
  problems: ['NotFound', 'NotSignedIn', 'FormatNotOffered'],
});

export const sitemap = crawled('GET /sitemap.xml', {
  summary: 'The sitemap for crawlers',
  answers: { 200: text('application/xml; charset=utf-8') },
});
