import * as z from 'zod';
import { soughtText } from '../shared/contract.js';
import { endpoint, text } from '../shared/endpoint.js';
import {
  Collection,
  CollectionPage,
  CollectionsQuery,
  CreatorProfile,
  DiscoverPage,
  FeaturedSlugs,
  HomePage,
  PackDetail,
  PackPage,
  PacksQuery,
  Sample,
  SamplePage,
  SamplesQuery,
  SimilarSamples,
  SoundsPage,
  Suggestions,
  SwipeQuery,
  SwipeSamples,
} from './contract.js';

const open = { tag: 'Catalogue', access: 'public' } as const;
/** The current address of a page that moved. */
const Moved = z.object({ redirect: z.string() });

export const listPacks = endpoint('GET /api/packs', {
  ...open,
  rateLimit: 'search',
  sameForVisitors: true,
  summary: 'Published packs',
  query: PacksQuery,
  answers: { 200: PackPage },
});

export const readPack = endpoint('GET /api/packs/:handle/:slug', {
  ...open,
  sameForVisitors: true,
  summary: 'A pack with its samples; a former handle or slug redirects to the current address',
  answers: { 200: PackDetail, 301: Moved },
  status: 200,
  problems: ['NotFound', 'TakenDown'],
});

export const readCreator = endpoint('GET /api/creators/:handle', {
  ...open,
  sameForVisitors: true,
  summary: 'The public profile of a creator; a former handle redirects to the current address',
  answers: { 200: CreatorProfile, 301: Moved },
  status: 200,
  problems: ['NotFound'],
});

export const readHome = endpoint('GET /api/home', {
  ...open,
  sameForVisitors: true,
  summary: 'The content of the home page',
  answers: { 200: HomePage },
});

export const readSounds = endpoint('GET /api/sounds', {
  ...open,
  sameForVisitors: true,
  summary: 'The rows of the Sounds page',
  answers: { 200: SoundsPage },
});

export const readDiscover = endpoint('GET /api/discover', {
  ...open,
  sameForVisitors: true,
  summary: 'The rows of the Discover page',
  answers: { 200: DiscoverPage },
});

export const listCollections = endpoint('GET /api/collections', {
  ...open,
  rateLimit: 'search',
  sameForVisitors: true,
  summary: 'Collections of one tab',
  query: CollectionsQuery,
  answers: { 200: CollectionPage },
});

export const readCollection = endpoint('GET /api/collections/:slug', {
  ...open,
  sameForVisitors: true,
  summary: 'A collection with its packs',
  answers: { 200: Collection },
  problems: ['NotFound'],
});

export const searchSamples = endpoint('GET /api/samples', {
  ...open,
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary: 'Samples of published packs, by text and filters',
  query: SamplesQuery,
  answers: { 200: SamplePage },
});

export const readSample = endpoint('GET /api/samples/:id', {
  ...open,
  scope: 'catalogue:read',
  summary: 'A sample',
  answers: { 200: Sample },
  problems: ['SampleNotAvailable', 'TakenDown'],
});

export const listSimilar = endpoint('GET /api/samples/:id/similar', {
  ...open,
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary: 'Up to ten samples that fit a sample, with reasons',
  answers: { 200: SimilarSamples },
  problems: ['SampleNotAvailable', 'TakenDown'],
});

export const suggest = endpoint('GET /api/search/suggestions', {
  ...open,
  scope: 'catalogue:read',
  rateLimit: 'search',
  summary: 'Up to five suggestions for a text',
  query: z.object({ q: soughtText(200).trim().default('') }),
  answers: { 200: Suggestions },
});

export const swipe = endpoint('GET /api/swipe', {
  ...open,
  rateLimit: 'search',
  summary: 'Random samples, without those already shown',
  query: SwipeQuery,
  answers: { 200: SwipeSamples },
});

const chosen = { tag: 'Administration', access: 'admin', answers: { 200: FeaturedSlugs } } as const;

export const listFeatured = endpoint('GET /api/admin/featured-collections', {
  ...chosen,
  summary: 'The featured collections of the Sounds page',
});

export const chooseFeatured = endpoint('PUT /api/admin/featured-collections', {
  ...chosen,
  summary: 'Replaces the featured collections of the Sounds page',
  body: FeaturedSlugs,
});

const crawled = { tag: 'Site', access: 'public', undescribed: true } as const;

export const robots = endpoint('GET /robots.txt', {
  ...crawled,
  summary: 'Rules for crawlers',
  answers: { 200: text('text/plain; charset=utf-8') },
});

export const securityTxt = endpoint('GET /.well-known/security.txt', {
  ...crawled,
  summary: 'Contact for security reports (RFC 9116); absent if none is configured',
  answers: { 200: text('text/plain; charset=utf-8') },
  problems: ['NotFound'],
});

export const tdmRep = endpoint('GET /.well-known/tdmrep.json', {
  ...crawled,
  summary: 'Text and data mining rules per page (TDM Reservation Protocol)',
  answers: { 200: text('application/json; charset=utf-8') },
});

export const tdmPolicy = endpoint('GET /tdm-policy.json', {
  ...crawled,
  summary: 'Text and data mining policy (TDM Reservation Protocol)',
  answers: { 200: text('application/ld+json; charset=utf-8') },
});

export const sitemap = endpoint('GET /sitemap.xml', {
  ...crawled,
  summary: 'The sitemap for crawlers',
  answers: { 200: text('application/xml; charset=utf-8') },
});
