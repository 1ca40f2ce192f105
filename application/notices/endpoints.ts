import * as z from 'zod';
import { exactText } from '../shared/contract.js';
import { endpoint, endpointsOf, rawBody } from '../shared/endpoint.js';
import * as contract from './contract.js';

const own = endpointsOf({ tag: 'Accounts', access: 'user' });

export const readInbox = own('GET /api/inbox', {
  summary: 'Lists what happened that the caller should know, newest first',
  query: contract.InboxQuery,
  answers: { 200: contract.Inbox },
});

export const readInboxState = own('GET /api/inbox/state', {
  summary: 'Returns the position of the newest notice, and how many are unread',
  answers: { 200: contract.InboxState },
});

export const markRead = own('POST /api/inbox/read', {
  rateLimit: 'edit',
  summary: 'Marks the notices up to a position as read',
  body: z.strictObject({ position: z.int().min(0) }),
  answers: { 204: null },
});

export const readChoices = own('GET /api/inbox/choices', {
  summary: 'Returns for each kind of notice whether it is mailed at once, in a daily digest, or not at all',
  answers: { 200: contract.NoticeChoices },
});

export const changeChoices = own('PUT /api/inbox/choices', {
  rateLimit: 'edit',
  summary:
    'Chooses for the given kinds of notices whether they are mailed at once, in a daily digest, or not at all',
  body: contract.NewNoticeChoices,
  answers: { 200: contract.NoticeChoices },
});

/** Mail programs send a form with the request. The endpoint ignores its content. */
export const unsubscribeFromNotices = endpoint('POST /api/inbox/unsubscribe', {
  tag: 'Accounts',
  access: 'signature',
  rateLimit: 'proof',
  summary: 'Turns off the mails of the kinds that a mail was about, with the token of its address (RFC 8058)',
  query: z.object({ token: exactText().min(1).max(300) }),
  body: rawBody('signed', 1_024),
  answers: { 204: null },
  problems: ['TokenInvalid'],
});
