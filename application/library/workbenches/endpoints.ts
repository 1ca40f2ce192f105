import { endpointsOf } from '../../shared/endpoint.js';
import { Link } from '../collections/contract.js';
import * as contract from './contract.js';

const reads = endpointsOf({ tag: 'Workbenches', access: 'user', scope: 'library:read' });
const own = endpointsOf({ tag: 'Workbenches', access: 'user', rateLimit: 'edit' });
const open = endpointsOf({
  tag: 'Workbenches',
  access: 'public',
  scope: 'catalogue:read',
  rateLimit: 'search',
});

export const listWorkbenches = reads('GET /api/workbenches', {
  summary: "Lists the caller's workbenches, last changed first",
  answers: { 200: contract.WorkbenchCards },
});

export const createWorkbench = own('POST /api/workbenches', {
  summary: 'Creates a workbench, in which samples play together in one tempo and key',
  body: contract.NewWorkbench,
  answers: { 201: contract.Workbench },
  problems: ['TooManyWorkbenches', 'SampleNotAvailable', 'NotFound'],
});

export const readWorkbench = reads('GET /api/workbenches/:id', {
  summary: 'Returns a workbench with the samples of its lanes',
  answers: { 200: contract.Workbench },
  problems: ['NotFound'],
});

export const saveWorkbench = own('PUT /api/workbenches/:id', {
  summary: 'Replaces the content of a workbench',
  body: contract.WorkbenchContent,
  versioned: true,
  answers: { 200: contract.Workbench },
  problems: ['NotFound', 'SampleNotAvailable'],
});

export const deleteWorkbench = own('DELETE /api/workbenches/:id', {
  summary: 'Deletes a workbench',
  answers: { 204: null },
});

export const shareWorkbench = own('POST /api/workbenches/:id/share', {
  summary: 'Returns the link with which anyone can hear the workbench; creates it if there is none',
  answers: { 200: Link },
  problems: ['NotFound'],
});

export const unshareWorkbench = own('DELETE /api/workbenches/:id/share', {
  summary: 'Ends the link. A later one is different',
  answers: { 204: null },
  problems: ['NotFound'],
});

export const readSharedWorkbench = open('GET /api/workbenches/shared/:token', {
  summary: 'Returns a shared workbench for anyone who has its link',
  rendered: true,
  answers: { 200: contract.SharedWorkbench },
  problems: ['TokenInvalid'],
});

export const suggestPart = open('POST /api/workbenches/suggestions', {
  summary: 'Names the part that lanes lack, such as bass, and samples that fit, with reasons',
  body: contract.Playing,
  answers: { 200: contract.PartSuggestions },
});
