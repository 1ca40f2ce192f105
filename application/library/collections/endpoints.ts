import * as z from 'zod';
import { Id } from '../../shared/contract.js';
import { endpointsOf } from '../../shared/endpoint.js';
import * as contract from './contract.js';

const reads = endpointsOf({ tag: 'Own collections', access: 'user' });
const own = endpointsOf({ tag: 'Own collections', access: 'user', rateLimit: 'edit' });

export const listOwnCollections = reads('GET /api/collections/own', {
  scope: 'library:read',
  summary: "Lists the caller's collections and those that the caller may add to, last changed first",
  query: z.object({ sampleId: Id.optional().describe('A sample, to learn which collections have it') }),
  answers: { 200: contract.CollectionCards },
});

export const createOwnCollection = own('POST /api/collections/own', {
  summary: 'Creates a collection, perhaps with samples',
  body: contract.NewCollection,
  answers: { 201: contract.OwnCollection },
  problems: ['TooManyCollections', 'SampleNotAvailable', 'NotFound'],
});

export const readOwnCollection = reads('GET /api/collections/own/:id', {
  scope: 'library:read',
  summary: 'Returns a collection with all its samples, in their order',
  answers: { 200: contract.OwnCollection },
  problems: ['NotFound'],
});

export const changeOwnCollection = own('PATCH /api/collections/own/:id', {
  summary: 'Renames or describes a collection',
  body: contract.CollectionChange,
  answers: { 204: null },
  problems: ['NotFound', 'NotAllowed'],
});

export const deleteOwnCollection = own('DELETE /api/collections/own/:id', {
  summary: 'Deletes a collection',
  answers: { 204: null },
  problems: ['NotFound', 'NotAllowed'],
});

export const addToOwnCollection = own('POST /api/collections/own/:id/samples', {
  summary: 'Adds samples at the end of a collection. Samples that it has keep their place',
  body: contract.SamplesToAdd,
  answers: { 200: z.object({ added: z.int() }) },
  problems: ['NotFound', 'SampleNotAvailable', 'CollectionFull'],
});

export const removeFromOwnCollection = own('DELETE /api/collections/own/:id/samples/:sampleId', {
  summary: 'Removes a sample from a collection',
  params: { sampleId: Id },
  answers: { 204: null },
  problems: ['NotFound', 'NotAllowed'],
});

export const moveInOwnCollection = own('PUT /api/collections/own/:id/samples/:sampleId/place', {
  summary: 'Moves a sample behind another one',
  params: { sampleId: Id },
  body: contract.Place,
  answers: { 204: null },
  problems: ['NotFound', 'NotAllowed', 'StaleVersion'],
});

export const shareOwnCollection = own('POST /api/collections/own/:id/share', {
  summary: 'Returns the link with which anyone can hear the collection; creates it if there is none',
  answers: { 200: contract.Link },
  problems: ['NotFound', 'NotAllowed'],
});

export const unshareOwnCollection = own('DELETE /api/collections/own/:id/share', {
  summary: 'Ends the link. A later one is different',
  answers: { 204: null },
  problems: ['NotFound', 'NotAllowed'],
});

export const inviteCollaborator = own('POST /api/collections/own/:id/invitation', {
  summary: 'Returns the link with which one other person may add samples',
  answers: { 200: contract.Link },
  problems: ['NotFound', 'NotAllowed', 'CollaboratorExists'],
});

export const removeCollaborator = own('DELETE /api/collections/own/:id/collaborator', {
  summary: 'Ends the invitation and removes the collaborator. Collaborators leave with it',
  answers: { 204: null },
  problems: ['NotFound'],
});

export const readInvitation = reads('GET /api/collections/invitations/:token', {
  summary: 'Returns what an invitation is about',
  answers: { 200: contract.Invitation },
  problems: ['TokenInvalid'],
});

export const acceptInvitation = own('POST /api/collections/invitations/:token/accept', {
  summary: 'Becomes the collaborator of a collection',
  answers: { 200: z.object({ id: Id }) },
  problems: ['TokenInvalid', 'TooManyCollections'],
});

export const readSharedCollection = reads('GET /api/collections/shared/:token', {
  access: 'public',
  scope: 'catalogue:read',
  rateLimit: 'search',
  rendered: true,
  summary: 'Returns a shared collection for anyone who has its link',
  answers: { 200: contract.SharedCollection },
  problems: ['TokenInvalid'],
});

export const copySharedCollection = own('POST /api/collections/shared/:token/copy', {
  summary: "Copies a shared collection into the caller's own; samples that are not on sale stay behind",
  answers: { 201: z.object({ id: Id }) },
  problems: ['TokenInvalid', 'TooManyCollections'],
});
