import { accept, type Decider } from '../shared/decision.js';

export const LEGAL_DOCUMENTS = [
  'imprint',
  'terms',
  'privacy',
  'licence',
  'accessibility',
  'complaints',
] as const;
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number];

/** The documents that every user accepts. */
export const ACCEPTED_DOCUMENTS = ['terms', 'privacy'] as const satisfies LegalDocument[];
export type AcceptedDocument = (typeof ACCEPTED_DOCUMENTS)[number];

/** The version of each document that a user accepted. A version is the SHA-256 of the text. */
export type Acceptances = Partial<Record<AcceptedDocument, string>>;

export interface AcceptDocuments {
  type: 'AcceptDocuments';
  userId: string;
  versions: Acceptances;
  now: string;
}

export interface DocumentAccepted {
  type: 'DocumentAccepted';
  data: { userId: string; document: AcceptedDocument; version: string; at: string };
}

/** Stream `acceptance-{userId}`: the versions of the legal texts that a user accepted. */
export const acceptanceDecider: Decider<AcceptDocuments, Acceptances, DocumentAccepted, never> = {
  streamOf: (userId) => `acceptance-${userId}`,
  initialState: {},
  decide: ({ userId, versions, now: at }, accepted) =>
    accept(
      ...ACCEPTED_DOCUMENTS.flatMap((document): DocumentAccepted[] => {
        const version = versions[document];
        if (version === undefined || version === accepted[document]) return [];
        return [{ type: 'DocumentAccepted', data: { userId, document, version, at } }];
      }),
    ),
  evolve: (accepted, { data: { document, version } }) => ({ ...accepted, [document]: version }),
};
