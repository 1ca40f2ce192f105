import * as z from 'zod';
import { WaitingAnswer } from '../../approvals/contract.js';
import { ReasonBody } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { AdjustingEntryBody, ChecklistItem, NoteBody } from './closing-contract.js';
import { Month } from '../contract.js';

const finance = { tag: 'Finance', access: 'finance' } as const;

export const requestAdjustingEntry = endpoint('POST /api/finance/adjusting-entries', {
  ...finance,
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

export const explainItem = endpoint('POST /api/finance/open-items/notes', {
  ...finance,
  summary: 'Notes what an item in suspense is, while it stays there',
  body: NoteBody,
  answers: { 204: null },
  problems: ['NotFound'],
});

export const readChecklist = endpoint('GET /api/finance/periods/:month/checklist', {
  ...finance,
  summary: 'Checks the conditions for closing a month',
  params: { month: Month },
  answers: {
    200: z
      .object({ month: z.string(), ready: z.boolean(), items: z.array(ChecklistItem) })
      .meta({ id: 'ClosingChecklist' }),
  },
});

export const requestReopening = endpoint('POST /api/finance/periods/:month/reopen', {
  ...finance,
  summary: 'Requests to reopen the month that was closed last',
  params: { month: Month },
  body: ReasonBody,
  answers: { 202: WaitingAnswer },
  problems: ['PeriodIsOpen', 'PeriodNotNewest', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});
