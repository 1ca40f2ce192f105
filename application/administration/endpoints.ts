import { CREATOR_STATUSES } from '../publishing/contract.js';
import * as z from 'zod';
import { Certificate } from '../purchases/contract.js';
import { Id, IsoTime, ReasonBody, pageQuery } from '../shared/contract.js';
import { endpointsOf } from '../shared/endpoint.js';
import { MAIL_LOG_DAYS } from './values.js';
import { WaitingAnswer } from '../approvals/contract.js';
import * as contract from './contract.js';
import { PeopleAnswer, PeopleQuery, DisplayName } from '../accounts/contract.js';

const admin = endpointsOf({ tag: 'Administration', access: 'admin' });

export const listApplications = admin('GET /api/admin/creator-applications', {
  summary: 'Lists creator applications by status',
  query: contract.ApplicationsQuery,
  answers: { 200: contract.CreatorApplicationPage },
});

const deciding = endpointsOf({
  tag: 'Administration',
  access: 'admin',
  params: { userId: Id },
  answers: { 200: z.object({ id: Id, status: z.enum(CREATOR_STATUSES) }) },
  problems: ['ApplicationExists', 'CreatorSuspended', 'DisplayNameTaken', 'NotFound'],
});

export const approveCreator = deciding('POST /api/admin/creator-applications/:userId/approve', {
  summary: 'Approves a creator application',
});

export const askApplicant = deciding('POST /api/admin/creator-applications/:userId/ask', {
  summary: 'Asks the applicant something before the decision',
  body: ReasonBody,
});

export const readApplicationHistory = admin('GET /api/admin/creator-applications/:userId/history', {
  summary: 'Lists what an applicant wrote, and what was decided and asked, oldest first',
  params: { userId: Id },
  answers: { 200: contract.ApplicationHistory },
});

export const declineCreator = deciding('POST /api/admin/creator-applications/:userId/decline', {
  summary: 'Declines a creator application, with a reason for the applicant',
  body: ReasonBody,
});

export const suspendCreator = deciding('POST /api/admin/creators/:userId/suspend', {
  freshSignIn: true,
  summary: 'Suspends a creator, with a reason for the creator',
  body: ReasonBody,
});

export const reinstateCreator = deciding('POST /api/admin/creators/:userId/reinstate', {
  freshSignIn: true,
  summary: 'Lifts a suspension',
});

const verifying = endpointsOf({
  tag: 'Administration',
  access: 'admin',
  params: { userId: Id },
  freshSignIn: true,
  answers: { 200: z.object({ id: Id, verified: z.boolean() }) },
  problems: ['DisplayNameTaken', 'NotFound', 'OwnInterest', 'StaleVersion'],
});

export const verifyCreator = verifying('POST /api/admin/creators/:userId/verify', {
  summary: 'Verifies a creator whose identity staff checked; a new name ends the verification',
  /** The name that staff have checked. If the creator has changed it since, the request is refused. */
  body: z.strictObject({ displayName: DisplayName }),
});

export const endVerification = verifying('POST /api/admin/creators/:userId/end-verification', {
  summary: "Ends a creator's verification",
});

export const takeDown = admin('POST /api/admin/takedowns', {
  freshSignIn: true,
  summary: 'Takes down a pack or sample and returns the credits to its buyers',
  body: contract.TakedownBody,
  answers: { 201: contract.TakedownAnswer },
  problems: ['NotFound'],
});

export const returnDefective = admin('POST /api/admin/defects', {
  freshSignIn: true,
  summary: 'Returns the credits for a defective sample',
  body: contract.DefectBody,
  answers: { 201: contract.DefectAnswer },
  problems: ['NotFound'],
});

export const listDeferredReturns = admin('GET /api/admin/deferred-returns', {
  summary: 'Lists deferred returns, newest first',
  query: z.object(pageQuery),
  answers: { 200: contract.DeferredReturnPage },
});

export const listMails = admin('GET /api/admin/mails', {
  summary: `Lists what became of the mails of the last ${MAIL_LOG_DAYS} days, newest first`,
  query: contract.MailsQuery,
  answers: { 200: contract.LoggedMailPage },
});

export const listJobs = admin('GET /api/admin/jobs', {
  summary: 'Counts waiting jobs, and lists running and failed ones',
  answers: { 200: contract.JobsAnswer },
});

const decidingOnJob = endpointsOf({
  tag: 'Administration',
  access: 'admin',
  params: { id: Id },
  answers: { 204: null },
  problems: ['NotFound'],
  freshSignIn: true,
});

export const retryJob = decidingOnJob('POST /api/admin/jobs/:id/retry', {
  summary: 'Retries a failed job',
});

export const discardJob = decidingOnJob('POST /api/admin/jobs/:id/discard', {
  summary: 'Deletes a job that failed or waits',
});

export const cancelJob = decidingOnJob('POST /api/admin/jobs/:id/cancel', {
  summary: 'Cancels a running job',
});

export const requestAdjustment = admin('POST /api/admin/adjustments', {
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

export const findPeople = admin('GET /api/admin/people', {
  summary: 'Finds users by e-mail address, name or handle',
  query: PeopleQuery,
  answers: { 200: PeopleAnswer },
});

export const listPaidInvoices = admin('GET /api/admin/people/:userId/invoices', {
  summary: "Lists a user's paid invoices, newest first",
  params: { userId: Id },
  answers: { 200: contract.PaidInvoices },
});

export const refundInvoice = admin('POST /api/admin/refunds', {
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

const recovering = endpointsOf({ tag: 'Finance', access: 'finance' });

export const listMissingFacts = recovering('GET /api/finance/missing-facts', {
  summary: 'Lists what others have and a restored log lacks',
  /** The time of the backup. */
  query: z.object({ since: IsoTime }),
  answers: { 200: contract.MissingFacts },
});

export const checkCertificate = recovering('POST /api/finance/missing-facts/certificates', {
  summary: 'Checks whether the log lacks the purchase of a certificate',
  body: Certificate.strict(),
  answers: { 200: contract.CertificateState },
});

export const requestPurchaseRecord = recovering('POST /api/finance/missing-facts/purchases', {
  summary: 'Requests the record of a lost purchase, which a certificate proves; a second person must approve',
  body: contract.LostPurchaseBody,
  answers: { 202: WaitingAnswer },
  problems: [
    'CertificateInvalid',
    'PurchaseRecorded',
    'CertificateWaits',
    'CreatorMismatch',
    'SampleNotAvailable',
    'NotFound',
    'OwnInterest',
  ],
  idempotent: true,
  freshSignIn: true,
});
