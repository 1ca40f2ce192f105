import type { Migration } from 'kysely/migration';
import * as baseline from './0147-baseline.js';
import * as accessTokens from './0148-0199/0148-access-tokens.js';
import * as sampleFacts from './0148-0199/0149-sample-facts.js';
import * as soundDescriptors from './0148-0199/0149-sound-descriptors.js';
import * as fileNameTemplate from './0148-0199/0151-file-name-template.js';
import * as taggedCopy from './0148-0199/0151-tagged-copy.js';
import * as follows from './0148-0199/0153-follows.js';
import * as projects from './0148-0199/0154-projects.js';
import * as ownCollections from './0148-0199/0157-own-collections.js';
import * as workbenches from './0148-0199/0159-workbenches.js';
import * as firstCredits from './0148-0199/0161-first-credits.js';
import * as weeklyMail from './0148-0199/0162-weekly-mail.js';
import * as origins from './0148-0199/0174-origins.js';
import * as notices from './0148-0199/0175-notices.js';
import * as sampleListeners from './0148-0199/0176-sample-listeners.js';
import * as hiddenBuyers from './0148-0199/0177-hidden-buyers.js';
import * as releases from './0148-0199/0184-releases.js';
import * as applications from './0148-0199/0185-applications.js';
import * as legalTexts from './0200-legal-texts.js';
import * as shares from './0220-shares.js';
import * as applicationPacks from './0245-application-packs.js';
import * as ownCovers from './0260-own-covers.js';
import * as splits from './0221-splits.js';
import * as topUps from './0230-top-ups.js';
import * as packPrice from './0235-pack-price.js';
import * as kinds from './0240-kinds.js';
import * as reach from './0265-reach.js';
import * as gifts from './0275-gifts.js';
import * as promotionCodes from './0280-promotion-codes.js';
import * as reportFetch from './0285-report-fetch.js';
import * as taxDetails from './0286-tax-details.js';
import * as invoiceVatIds from './0287-invoice-vat-ids.js';
import * as previewParts from './0241-preview-parts.js';

/** In order. Databases have run these migrations and record their names: neither a migration nor its name may change. */
export const migrations: Record<string, Migration> = {
  '0147-baseline': baseline,
  '0148-access-tokens': accessTokens,
  '0149-sample-facts': sampleFacts,
  '0149-sound-descriptors': soundDescriptors,
  '0151-file-name-template': fileNameTemplate,
  '0151-tagged-copy': taggedCopy,
  '0153-follows': follows,
  '0154-projects': projects,
  '0157-own-collections': ownCollections,
  '0159-workbenches': workbenches,
  '0161-first-credits': firstCredits,
  '0162-weekly-mail': weeklyMail,
  '0174-origins': origins,
  '0175-notices': notices,
  '0176-sample-listeners': sampleListeners,
  '0177-hidden-buyers': hiddenBuyers,
  '0184-releases': releases,
  '0185-applications': applications,
  '0200-legal-texts': legalTexts,
  '0220-shares': shares,
  '0221-splits': splits,
  '0230-top-ups': topUps,
  '0235-pack-price': packPrice,
  '0240-kinds': kinds,
  '0241-preview-parts': previewParts,
  '0245-application-packs': applicationPacks,
  '0260-own-covers': ownCovers,
  '0265-reach': reach,
  '0275-gifts': gifts,
  '0280-promotion-codes': promotionCodes,
  '0285-report-fetch': reportFetch,
  '0286-tax-details': taxDetails,
  '0287-invoice-vat-ids': invoiceVatIds,
};
