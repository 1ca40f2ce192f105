import { CANDIDATES_LIMIT } from './values.js';
import * as z from 'zod';
import { IMAGE_LIMIT_BYTES, IMAGE_PROBLEMS } from '../media/values.js';
import { lineText } from '../shared/contract.js';
import { endpointsOf, multipart } from '../shared/endpoint.js';
import { OwnProfile, ProfileBody, FeaturedSample } from './contract.js';

const own = endpointsOf({ tag: 'Creators', access: 'user' });

export const readProfile = own('GET /api/creator/profile', {
  summary: "Returns the caller's public profile",
  answers: { 200: OwnProfile },
});

export const saveProfile = own('PUT /api/creator/profile', {
  rateLimit: 'edit',
  summary: "Changes the caller's public profile; omitted fields stay",
  body: ProfileBody,
  answers: { 200: OwnProfile },
  problems: ['FeaturedTwice', 'SampleNotAvailable', 'CreatorSuspended', 'DisplayNameTaken'],
});

export const replaceCreatorAvatar = own('PUT /api/creator/avatar', {
  summary: "Replaces the caller's avatar",
  body: multipart(IMAGE_LIMIT_BYTES, { image: 'file' }),
  answers: { 200: z.object({ success: z.literal(true), avatarUrl: z.string() }) },
  problems: [...IMAGE_PROBLEMS, 'CreatorSuspended'],
  rateLimit: 'picture',
});

export const listCandidates = own('GET /api/creator/featured-candidates', {
  summary:
    'Lists samples that the caller can feature, newest first; with `q` those whose title or pack contains it',
  query: z.object({ q: lineText(120).optional() }),
  answers: { 200: z.object({ items: z.array(FeaturedSample).max(CANDIDATES_LIMIT) }) },
});
