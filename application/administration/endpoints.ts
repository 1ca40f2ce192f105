import { CREATOR_STATUSES } from '../publishing/contract.js';
import * as z from 'zod';
import { Id, ReasonBody, pageQuery } from '../shared/contract.js';
import { endpoint } from '../shared/endpoint.js';
import { MAIL_LOG_DAYS } from './values.js';
import { WaitingAnswer } from '../approvals/contract.js';
import * as contract from './contract.js';
import { PeopleAnswer, PeopleQuery, DisplayName } from '../accounts/contract.js';

const admin = { tag: 'Administration', access: 'admin' } as const;

export const listApplications = endpoint('GET /api/admin/creator-applications', {
  ...admin,
  summary: 'Lists creator applications by status',
  query: contract.ApplicationsQuery,
  answers: { 200: contract.CreatorApplicationPage },
});

const deciding = {
  ...admin,
  params: { userId: Id },
  answers: { 200: z.object({ id: Id, status: z.enum(CREATOR_STATUSES) }) },
  problems: ['ApplicationExists', 'CreatorSuspended', 'DisplayNameTaken', 'NotFound'],
} as const;

export const approveCreator = endpoint('POST /api/admin/creator-applications/:userId/approve', {
  ...deciding,
  summary: 'Approves a creator application',
});

export const declineCreator = endpoint('POST /api/admin/creator-applications/:userId/decline', {
  ...deciding,
  summary: 'Declines a creator application, with a reason for the applicant',
  body: ReasonBody,
});

export const suspendCreator = endpoint('POST /api/admin/creators/:userId/suspend', {
  ...deciding,
  freshSignIn: true,
  summary: 'Suspends a creator, with a reason for the creator',
  body: ReasonBody,
});

export const reinstateCreator = endpoint('POST /api/admin/creators/:userId/reinstate', {
  ...deciding,
  freshSignIn: true,
  summary: 'Lifts a suspension',
});

const verifying = {
  ...admin,
  params: { userId: Id },
  freshSignIn: true,
  answers: { 200: z.object({ id: Id, verified: z.boolean() }) },
  problems: ['DisplayNameTaken', 'NotFound', 'OwnInterest', 'StaleVersion'],
} as const;

export const verifyCreator = endpoint('POST /api/admin/creators/:userId/verify', {
  ...verifying,
  summary: 'Verifies a creator whose identity staff checked; a new name ends the verification',
  /** The name that staff checked, so that a newer name is not verified unseen. */
  body: z.strictObject({ displayName: DisplayName }),
});

export const endVerification = endpoint('POST /api/admin/creators/:userId/end-verification', {
  ...verifying,
  summary: "Ends a creator's verification",
});

export const takeDown = endpoint('POST /api/admin/takedowns', {
  ...admin,
  freshSignIn: true,
  summary: 'Takes down a pack or sample and returns the credits to its buyers',
  body: contract.TakedownBody,
  answers: { 201: contract.TakedownAnswer },
  problems: ['NotFound'],
});

export const returnDefective = endpoint('POST /api/admin/defects', {
  ...admin,
  freshSignIn: true,
  summary: 'Returns the credits for a defective sample',
  body: contract.DefectBody,
  answers: { 201: contract.DefectAnswer },
  problems: ['NotFound'],
});

export const listDeferredReturns = endpoint('GET /api/admin/deferred-returns', {
  ...admin,
  summary: 'Lists deferred returns, newest first',
  query: z.object(pageQuery),
  answers: { 200: contract.DeferredReturnPage },
});

export const listMails = endpoint('GET /api/admin/mails', {
  ...admin,
  summary: `What became of the mails of the last ${MAIL_LOG_DAYS} days, newest first`,
  query: contract.MailsQuery,
  answers: { 200: contract.LoggedMailPage },
});

export const listJobs = endpoint('GET /api/admin/jobs', {
  ...admin,
  summary: 'Counts waiting jobs, and lists running and failed ones',
  answers: { 200: contract.JobsAnswer },
});

const decidingOnJob = {
  ...admin,
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
} as const;

export const retryJob = endpoint('POST /api/admin/jobs/:id/retry', {
  ...decidingOnJob,
  freshSignIn: true,
  summary: 'Retries a failed job',
});

export const discardJob = endpoint('POST /api/admin/jobs/:id/discard', {
  ...decidingOnJob,
  freshSignIn: true,
  summary: 'Deletes a job that failed or waits',
});

export const cancelJob = endpoint('POST /api/admin/jobs/:id/cancel', {
  ...decidingOnJob,
  freshSignIn: true,
  summary: 'Cancels a running job',
});

export const requestAdjustment = endpoint('POST /api/admin/adjustments', {
  ...admin,
  freshSignIn: true,
  summary: 'Gives or takes credits; 202 if an approval is needed',
  body: contract.AdjustmentBody,
  answers: { 201: contract.AdjustmentAnswer, 202: contract.AdjustmentAnswer },
  status: 201,
  problems: [
    'NotFound',
    'OwnInterest',
    'CreditsWorthTooMuch',
    'NothingToMakeGood',
    'MadeGoodAlready',
    'RevocationTooLarge',
  ],
  idempotent: true,
});

export const findPeople = endpoint('GET /api/admin/people', {
  ...admin,
  summary: 'Finds users by e-mail address, name or handle',
  query: PeopleQuery,
  answers: { 200: PeopleAnswer },
});

export const listPaidInvoices = endpoint('GET /api/admin/people/:userId/invoices', {
  ...admin,
  summary: "Lists a user's paid invoices, newest first",
  params: { userId: Id },
  answers: { 200: contract.PaidInvoices },
});

export const refundInvoice = endpoint('POST /api/admin/refunds', {
  ...admin,
  freshSignIn: true,
  summary: 'Refunds the unspent part of an invoice; 202 if an approval is needed',
  body: contract.RefundBody,
  answers: { 201: contract.RefundAnswer, 202: WaitingAnswer },
  status: 201,
  problems: [
    'RefundWindowClosed',
    'NothingToRefund',
    'RefundTooLarge',
    'InvoiceDisputed',
    'NotFound',
    'OwnInterest',
    'PaymentsUnavailable',
  ],
  idempotent: true,
});
