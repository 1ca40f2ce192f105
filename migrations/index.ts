import * as eventLog from './0001-0020/0001-event-log.js';
import * as accounts from './0001-0020/0002-accounts.js';
import * as catalogue from './0001-0020/0003-catalogue.js';
import * as creditsAndPurchases from './0001-0020/0004-credits-and-purchases.js';
import * as subscriptions from './0001-0020/0005-subscriptions.js';
import * as library from './0001-0020/0006-library.js';
import * as ledger from './0001-0020/0007-ledger.js';
import * as administration from './0001-0020/0008-administration.js';
import * as payouts from './0001-0020/0009-payouts.js';
import * as featuredSamples from './0001-0020/0010-featured-samples.js';
import * as mailingList from './0001-0020/0011-mailing-list.js';
import * as importedDownloads from './0001-0020/0012-imported-downloads.js';
import * as balanceTransactions from './0001-0020/0013-balance-transactions.js';
import * as bookChecks from './0001-0020/0014-book-checks.js';
import * as payoutSchedules from './0001-0020/0015-payout-schedules.js';
import * as receipts from './0001-0020/0016-receipts.js';
import * as unreferencedObjects from './0001-0020/0017-unreferenced-objects.js';
import * as mailLog from './0001-0020/0018-mail-log.js';
import * as lateFacts from './0001-0020/0019-late-facts.js';
import * as openPlanChanges from './0001-0020/0020-open-plan-changes.js';
import * as staffRoles from './0021-0040/0022-staff-roles.js';
import * as claimOwners from './0021-0040/0023-claim-owners.js';
import * as movementsInSuspense from './0021-0040/0024-movements-in-suspense.js';
import * as lookUps from './0021-0040/0026-look-ups.js';
import * as logEnd from './0021-0040/0027-log-end-and-parked-events.js';
import * as readableEvents from './0021-0040/0028-readable-events.js';
import * as freshSignIns from './0021-0040/0030-fresh-sign-ins.js';
import * as recordingsAndFolders from './0021-0040/0031-recordings-and-folders.js';
import * as archiveTickets from './0021-0040/0032-archive-tickets.js';
import * as rowsOfSounds from './0021-0040/0033-rows-of-sounds.js';
import * as removalsUnderWay from './0021-0040/0040-removals-under-way.js';
import * as schemaFloor from './0041-0060/0041-schema-floor.js';
import * as alertsAndCurrencies from './0041-0060/0050-alerts-and-currencies.js';
import * as secondPerson from './0041-0060/0051-second-person.js';
import * as staffActs from './0041-0060/0052-staff-acts.js';
import * as withheldSamples from './0061-0080/0068-withheld-samples.js';
import * as remarks from './0061-0080/0069-remarks.js';
import * as licences from './0061-0080/0070-licences-and-ai-preferences.js';
import * as namedRemarks from './0061-0080/0071-named-remarks.js';
import * as subscriptionTypes from './0061-0080/0072-types-of-subscriptions.js';
import * as jobQueue from './0061-0080/0073-job-queue.js';
import * as orderedMailTokens from './0061-0080/0074-ordered-mail-tokens.js';
import * as sessionsAndBrowsers from './0061-0080/0075-sessions-and-browsers.js';
import * as secondFactors from './0061-0080/0076-second-factors.js';
import * as tracedIds from './0061-0080/0078-traced-ids.js';
import * as tieOuts from './0081-0100/0082-tie-outs.js';
import * as awaitedPayers from './0081-0100/0084-changes-that-await-their-payer.js';
import * as paymentBackfill from './0081-0100/0085-payment-backfill.js';
import * as soundFingerprints from './0081-0100/0086-sound-fingerprints.js';
import * as suspectedCopies from './0081-0100/0087-suspected-copies.js';
import * as pageChanges from './0081-0100/0089-page-changes.js';
import * as unhandledWebhooks from './0081-0100/0090-unhandled-webhooks.js';
import * as taxLines from './0081-0100/0094-tax-lines.js';
import * as complaints from './0081-0100/0096-complaints.js';
import * as rememberedBrowsers from './0081-0100/0098-remembered-browsers.js';
import * as payersToForget from './0081-0100/0099-payers-to-forget.js';
import * as timesOfOutlivedRows from './0081-0100/0100-times-of-outlived-rows.js';
import * as fileChecks from './0101-0120/0101-file-checks.js';
import * as bookProofs from './0101-0120/0102-proofs-of-the-books.js';
import * as uploadProgress from './0101-0120/0105-upload-progress.js';
import * as directUploads from './0101-0120/0106-direct-uploads.js';
import * as sampleEncodings from './0101-0120/0107-sample-encodings.js';
import * as preparedExports from './0101-0120/0110-prepared-exports.js';
import * as marginMonths from './0101-0120/0115-margin-months.js';
import * as lateFactsOfTheJournal from './0121-0140/0130-late-facts-of-the-journal.js';
import * as settledMovements from './0121-0140/0131-settled-movements.js';
import * as creatorNames from './0141-0160/0145-creator-names.js';
import * as payoutsThatCameBack from './0141-0160/0146-payouts-that-came-back.js';

/** In order, frozen once landed. */
export const migrations = {
  '0001-event-log': eventLog,
  '0002-accounts': accounts,
  '0003-catalogue': catalogue,
  '0004-credits-and-purchases': creditsAndPurchases,
  '0005-subscriptions': subscriptions,
  '0006-library': library,
  '0007-ledger': ledger,
  '0008-administration': administration,
  '0009-payouts': payouts,
  '0010-featured-samples': featuredSamples,
  '0011-mailing-list': mailingList,
  '0012-imported-downloads': importedDownloads,
  '0013-balance-transactions': balanceTransactions,
  '0014-book-checks': bookChecks,
  '0015-payout-schedules': payoutSchedules,
  '0016-receipts': receipts,
  '0017-unreferenced-objects': unreferencedObjects,
  '0018-mail-log': mailLog,
  '0019-late-facts': lateFacts,
  '0020-open-plan-changes': openPlanChanges,
  '0022-staff-roles': staffRoles,
  '0023-claim-owners': claimOwners,
  '0024-movements-in-suspense': movementsInSuspense,
  '0026-look-ups': lookUps,
  '0027-log-end-and-parked-events': logEnd,
  '0028-readable-events': readableEvents,
  '0030-fresh-sign-ins': freshSignIns,
  '0031-recordings-and-folders': recordingsAndFolders,
  '0032-archive-tickets': archiveTickets,
  '0033-rows-of-sounds': rowsOfSounds,
  '0040-removals-under-way': removalsUnderWay,
  '0041-schema-floor': schemaFloor,
  '0050-alerts-and-currencies': alertsAndCurrencies,
  '0051-second-person': secondPerson,
  '0052-staff-acts': staffActs,
  '0068-withheld-samples': withheldSamples,
  '0069-remarks': remarks,
  '0070-licences-and-ai-preferences': licences,
  '0071-named-remarks': namedRemarks,
  '0072-types-of-subscriptions': subscriptionTypes,
  '0073-job-queue': jobQueue,
  '0074-ordered-mail-tokens': orderedMailTokens,
  '0075-sessions-and-browsers': sessionsAndBrowsers,
  '0076-second-factors': secondFactors,
  '0078-traced-ids': tracedIds,
  '0082-tie-outs': tieOuts,
  '0084-changes-that-await-their-payer': awaitedPayers,
  '0085-payment-backfill': paymentBackfill,
  '0086-sound-fingerprints': soundFingerprints,
  '0087-suspected-copies': suspectedCopies,
  '0089-page-changes': pageChanges,
  '0090-unhandled-webhooks': unhandledWebhooks,
  '0094-tax-lines': taxLines,
  '0096-complaints': complaints,
  '0098-remembered-browsers': rememberedBrowsers,
  '0099-payers-to-forget': payersToForget,
  '0100-times-of-outlived-rows': timesOfOutlivedRows,
  '0101-file-checks': fileChecks,
  '0102-proofs-of-the-books': bookProofs,
  '0105-upload-progress': uploadProgress,
  '0106-direct-uploads': directUploads,
  '0107-sample-encodings': sampleEncodings,
  '0110-prepared-exports': preparedExports,
  '0115-margin-months': marginMonths,
  '0130-late-facts-of-the-journal': lateFactsOfTheJournal,
  '0131-settled-movements': settledMovements,
  '0145-creator-names': creatorNames,
  '0146-payouts-that-came-back': payoutsThatCameBack,
};
