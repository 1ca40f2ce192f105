import { endpoint } from '../shared/endpoint.js';
import { Id } from '../shared/contract.js';
import {
  DownloadAnswer,
  DownloadBody,
  PackDownloadAnswer,
  PackDownloadBody,
  PurchaseAnswer,
  PurchaseBody,
} from './contract.js';

const buying = { tag: 'Downloads', access: 'user', idempotent: true } as const;

const REFUSALS = [
  'InsufficientCredits',
  'PriceChanged',
  'SampleNotAvailable',
  'Gone',
  'DownloadUnavailable',
  'NotPurchased',
  'PaymentDisputed',
] as const;

export const downloadSample = endpoint('POST /api/downloads', {
  ...buying,
  summary: 'Buys a sample, or hands it out again: 201 for a purchase, 200 for what is owned already',
  body: DownloadBody,
  answers: { 200: DownloadAnswer, 201: DownloadAnswer },
  status: 201,
  problems: REFUSALS,
});

export const downloadPack = endpoint('POST /api/packs/:id/downloads', {
  ...buying,
  summary: 'Buys every sample of a pack that is not owned yet, all or nothing',
  params: { id: Id },
  body: PackDownloadBody,
  answers: { 200: PackDownloadAnswer, 201: PackDownloadAnswer },
  status: 201,
  problems: [...REFUSALS, 'NotFound'],
});

export const purchaseSample = endpoint('POST /api/credits/purchase', {
  ...buying,
  summary: 'The purchase of earlier clients: buyer, creator and price are checked, never believed',
  body: PurchaseBody,
  answers: { 200: PurchaseAnswer },
  problems: [...REFUSALS, 'BuyerMismatch', 'CreatorMismatch'],
});
