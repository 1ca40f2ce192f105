import { endpointsOf } from '../shared/endpoint.js';
import { MailingListAnswer, MailingListToken, SubscribeBody } from './contract.js';

const open = endpointsOf({ tag: 'Mailing list', access: 'public' });

export const askToJoin = open('POST /api/mailing-list', {
  summary: 'Mails a link to join',
  body: SubscribeBody,
  answers: { 202: null },
  rateLimit: 'mailing-list',
});

export const joinMailingList = open('POST /api/mailing-list/join', {
  summary: 'Joins the list with a mailed token',
  body: MailingListToken,
  answers: { 200: MailingListAnswer },
  problems: ['TokenInvalid'],
});

export const leaveMailingList = open('POST /api/mailing-list/leave', {
  summary: 'Leaves the list with the token of any mail',
  body: MailingListToken,
  answers: { 200: MailingListAnswer },
  problems: ['TokenInvalid'],
});
