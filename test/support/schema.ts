import { Kysely, PostgresDialect } from 'kysely';
import type { Database } from '../../adapters/platform/database/database.js';

/** The file with the types of the tables. */
export const SCHEMA_FILE = 'adapters/platform/database/schema.ts';

const contract = (path: string) => `../../../${path}.js`;

/** Types that the database does not know: the allowed values of a text, the shape of a JSON value. */
const IMPORTS = {
  CreatorStatus: contract('application/accounts/sessions/session-store'),
  ApprovalStatus: contract('domain/approvals/approval'),
  ApprovalWork: contract('domain/approvals/approval'),
  Attachment: contract('domain/publishing/audio'),
  Checked: `${contract('application/ledger/contract')}#BookCheck`,
  ComplaintKind: contract('domain/complaints/complaint'),
  CopiedRecording: `${contract('domain/publishing/suspicion')}#LikedRecording`,
  Becomes: contract('application/publishing/samples/encodings'),
  CopyStatus: contract('domain/publishing/suspicion'),
  CreditLinePage: contract('application/credits/contract'),
  Document: `${contract('application/purchases/contract')}#Certificate`,
  EncodingOutcome: contract('application/publishing/samples/encodings'),
  Entry: `${contract('application/library/contract')}#HistoryEntry`,
  Imported: `${contract('application/library/contract')}#ImportedDownload`,
  Item: `${contract('application/library/contract')}#SavedItem`,
  MailTokenPurpose: contract('application/accounts/account-store'),
  Genre: contract('domain/catalogue/vocabulary'),
  NewReport: contract('application/reports/contract'),
  OpenChange: contract('domain/subscriptions/subscription-messages'),
  AwaitedPayment: contract('domain/subscriptions/subscription-messages'),
  PackPlace: contract('application/publishing/queries'),
  PlanId: contract('domain/subscriptions/plans'),
  Role: `${contract('domain/accounts/staff')}#StaffRole`,
  MailRecord: contract('application/mail/mailer'),
  ScheduleChoice: contract('application/payouts/contract'),
  ScheduledChange: contract('domain/subscriptions/subscription-messages'),
  Span: contract('domain/payouts/spans'),
  StatedTaxDetails: contract('application/payouts/tax-contract'),
  StoredProfile: contract('application/profiles/profile-store'),
  TaxDetailsOfProvider: contract('application/payouts/tax-contract'),
  ProofFault: contract('application/ledger/book-proofs'),
  Withdrawal: `${contract('application/payouts/contract')}#Payout`,
};
const COLUMNS = {
  'approval.status': 'ApprovalStatus',
  'approval.work': 'ColumnType<ApprovalWork, string, string>',
  'book_check.broken': "ColumnType<Checked['broken'] | null, string | undefined, string>",
  'book_proof.faults': 'ColumnType<ProofFault[], string, string>',
  'certificate.document': "Omit<Document, 'signature'>",
  'complaint.kind': 'ComplaintKind',
  'creator_profile.socials': "Generated<StoredProfile['socials']>",
  'creator_standing.status': 'CreatorStatus',
  'credit_line.reason': "CreditLinePage['items'][number]['reason']",
  'event.data': 'Record<string, unknown>',
  'event.metadata': 'Record<string, unknown>',
  'idempotent_request.answer': 'ColumnType<unknown, string | undefined, string>',
  'imported_download.item': 'Imported',
  'listening_entry.entry': 'Entry',
  'mail_log.status': "MailRecord['status']",
  'mail_token.purpose': 'MailTokenPurpose',
  'mailbox.headers': 'Record<string, string> | null',
  'pack.genre': 'Genre',
  'sample_encoding.becomes': 'ColumnType<Becomes, string, string>',
  'sample_encoding.outcome': 'ColumnType<EncodingOutcome | null, string | null, string | null>',
  'pack.status': "PackPlace['status']",
  'payout.spans': 'ColumnType<Span[], string, string>',
  'payout.status': "Withdrawal['status']",
  'payout_schedule.schedule': 'ScheduleChoice',
  'report.reason': "NewReport['reason']",
  'report.subject_kind': "NewReport['kind']",
  'saved_item.item': 'Item',
  'sample.midi': 'Attachment | null',
  'sample.stems': 'Attachment | null',
  'staff_role.role': 'Role',
  'suspected_copy.also_like': 'ColumnType<CopiedRecording[], string | undefined, string>',
  'suspected_copy.found_by': "'hash' | 'fingerprint'",
  'suspected_copy.statement_kind': "'licence' | 'own work' | null",
  'suspected_copy.status': 'CopyStatus',
  'suspected_copy.tier': "'held' | 'listed'",
  'tax_detail.from_provider': 'ColumnType<TaxDetailsOfProvider | null, string | null, string>',
  'tax_detail.stated': 'ColumnType<StatedTaxDetails | null, string | null, string>',
  'subscription.change_kind': "OpenChange['kind'] | null",
  'subscription.change_needs': "AwaitedPayment['needs'] | null",
  'subscription.change_plan': 'PlanId | null',
  'subscription.plan': 'PlanId',
  'subscription.scheduled_kind': "ScheduledChange['kind'] | null",
  'subscription.scheduled_plan': 'PlanId | null',
};

/** Returns the types of a migrated database's tables and views, as our connections read them. */
export async function schemaTypes({ pool }: Database): Promise<string> {
  // Imported only here: this CommonJS package requires Kysely, an ES module, which must be loaded first.
  const codegen = await import('kysely-codegen');
  return codegen.generate({
    // Never destroyed, because that would end the pool, which belongs to the database.
    db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    dialect: new codegen.PostgresDialect(),
    outFile: null,
    // Our code reads only the jobs among the job library's tables.
    excludePattern: '{kysely_*,jobs.!(job)}',
    // As `connections.ts` parses them.
    typeMapping: { date: 'string', int8: 'number' },
    customImports: IMPORTS,
    overrides: { columns: COLUMNS },
  });
}
