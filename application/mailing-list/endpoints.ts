import { endpoint } from '../shared/endpoint.js';
import { MailingListAnswer, MailingListToken, SubscribeBody } from './contract.js';

const open = { tag: 'Mailing list', access: 'public' } as const;

export const askToJoin = endpoint('POST /api/mailing-list', {
  ...open,
  summary: 'Mails a link to join',
  body: SubscribeBody,
  answers: { 202: null },
  rateLimit: 'mailing-list',
});

export const join = endpoint('POST /api/mailing-list/join', {
  ...open,
  summary: 'Joins the list with a mailed token',
  body: MailingListToken,
  answers: { 200: MailingListAnswer },
  problems: ['TokenInvalid'],
});

export const leave = endpoint('POST /api/mailing-list/leave', {
  ...open,
  summary: 'Leaves the list with the token of any mail',
  body: MailingListToken,
  answers: { 200: MailingListAnswer },
  problems: ['TokenInvalid'],
});
