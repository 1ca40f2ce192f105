import * as accounts from './accounts/endpoints.js';
import * as factors from './accounts/factors/endpoints.js';
import * as tokens from './accounts/tokens/endpoints.js';
import * as approvals from './administration/approval-endpoints.js';
import * as administration from './administration/endpoints.js';
import * as catalogue from './catalogue/endpoints.js';
import * as complaints from './complaints/endpoints.js';
import * as credits from './credits/endpoints.js';
import * as exports from './exports/endpoints.js';
import * as legal from './legal/endpoints.js';
import * as ledger from './ledger/endpoints.js';
import * as financeReports from './ledger/reports/report-endpoints.js';
import * as ownCollections from './library/collections/endpoints.js';
import * as workbenches from './library/workbenches/endpoints.js';
import * as library from './library/endpoints.js';
import * as mail from './mail/endpoints.js';
import * as mailingList from './mailing-list/endpoints.js';
import * as media from './media/endpoints.js';
import * as notices from './notices/endpoints.js';
import * as operations from './operations/endpoints.js';
import * as payments from './payments/endpoints.js';
import * as payouts from './payouts/endpoints.js';
import * as profiles from './profiles/endpoints.js';
import * as promotions from './promotions/endpoints.js';
import * as publishing from './publishing/endpoints.js';
import * as copies from './publishing/suspicions/endpoints.js';
import * as purchases from './purchases/endpoints.js';
import * as reports from './reports/endpoints.js';
import type { Endpoint } from './shared/endpoint.js';
import * as storage from './storage/endpoints.js';
import * as subscriptions from './subscriptions/endpoints.js';

/** The contracts of all contexts. The client takes their types from here. */
export const CONTRACTS = [
  accounts,
  administration,
  approvals,
  catalogue,
  complaints,
  copies,
  credits,
  exports,
  factors,
  financeReports,
  ledger,
  legal,
  library,
  mail,
  mailingList,
  media,
  notices,
  operations,
  ownCollections,
  payments,
  payouts,
  profiles,
  promotions,
  publishing,
  purchases,
  reports,
  storage,
  subscriptions,
  tokens,
  workbenches,
] as const;

export const ENDPOINTS: readonly Endpoint[] = CONTRACTS.flatMap((contract): Endpoint[] =>
  Object.values(contract),
);
