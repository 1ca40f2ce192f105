import type { LegalDocument } from '../../domain/legal/acceptance.js';

export { ACCEPTED_DOCUMENTS, LEGAL_DOCUMENTS } from '../../domain/legal/acceptance.js';
export type { AcceptedDocument, LegalDocument } from '../../domain/legal/acceptance.js';

export const LEGAL_TITLES: Record<LegalDocument, string> = {
  imprint: 'Imprint',
  terms: 'Terms of use',
  privacy: 'Privacy policy',
  licence: 'Sample licence',
  accessibility: 'Accessibility statement',
  complaints: 'Complaints policy',
};
