import * as z from 'zod';
import { WaitingAnswer } from '../../approvals/contract.js';
import { ReasonBody } from '../../shared/contract.js';
import { endpointsOf } from '../../shared/endpoint.js';
import { AdjustingEntryBody, ChecklistItem, NoteBody } from './closing-contract.js';
import { Month } from '../contract.js';

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });

export const requestAdjustingEntry = finance('POST /api/finance/adjusting-entries', {
  summary: 'Requests an adjusting entry; a second person must approve',
  body: AdjustingEntryBody,
  answers: { 202: WaitingAnswer },
  problems: [
    'NotFound',
    'NotAdjustable',
    'WrongDirection',
    'MoreThanOpen',
    'PeriodNotOver',
    'PeriodBeforeBooks',
    'PeriodIsClosed',
    'OwnInterest',
  ],
  idempotent: true,
  freshSignIn: true,
});

export const explainItem = finance('POST /api/finance/open-items/notes', {
  summary: 'Notes what an item in suspense is, while it stays there',
  body: NoteBody,
  answers: { 204: null },
  problems: ['NotFound'],
});

export const readChecklist = finance('GET /api/finance/periods/:month/checklist', {
  summary: 'Checks the conditions for closing a month',
  params: { month: Month },
  answers: {
    200: z
      .object({ month: z.string(), ready: z.boolean(), items: z.array(ChecklistItem) })
      .meta({ id: 'ClosingChecklist' }),
  },
});

export const requestReopening = finance('POST /api/finance/periods/:month/reopen', {
  summary: 'Requests to reopen the month that was closed last',
  params: { month: Month },
  body: ReasonBody,
  answers: { 202: WaitingAnswer },
  problems: ['PeriodIsOpen', 'PeriodNotNewest', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});
