/** Statements about text and data mining, by the TDM Reservation Protocol of the W3C and the drafts for robots.txt. */
const TDM_POLICY_PATH = '/tdm-policy.json';

/** Lines of robots.txt for all user agents. */
export const AI_RULES = ['Content-Signal: search=yes, ai-train=no', 'Content-Usage: train-ai=n'];

/** @param allowed whether every creator in the response allows training */
export const tdmHeaders = (publicUrl: string, allowed: boolean): Record<string, string> => ({
  'TDM-Reservation': allowed ? '0' : '1',
  'TDM-Policy': `${publicUrl}${TDM_POLICY_PATH}`,
  'Content-Signal': `search=yes, ai-train=${allowed ? 'yes' : 'no'}`,
});

interface TdmRule {
  location: string;
  'tdm-reservation': 0 | 1;
  'tdm-policy'?: string;
}

export function tdmRules(publicUrl: string, openPaths: readonly string[]): TdmRule[] {
  return [
    ...openPaths.map((location) => ({ location, 'tdm-reservation': 0 as const })),
    { location: '/', 'tdm-reservation': 1, 'tdm-policy': `${publicUrl}${TDM_POLICY_PATH}` },
  ];
}

/** Returns the policy: research may mine freely, all other mining needs the consent of the rights holder. */
export const tdmPolicyOf = (publicUrl: string): object => ({
  '@context': ['http://www.w3.org/ns/odrl.jsonld', { tdm: 'http://www.w3.org/ns/tdmrep#' }],
  '@type': 'Offer',
  profile: 'http://www.w3.org/ns/tdmrep',
  uid: `${publicUrl}${TDM_POLICY_PATH}`,
  assigner: { uid: publicUrl, 'vcard:fn': 'Offcut', 'vcard:hasURL': publicUrl },
  permission: [
    {
      target: `${publicUrl}/`,
      action: 'tdm:mine',
      constraint: [{ leftOperand: 'purpose', operator: 'eq', rightOperand: { '@id': 'tdm:research' } }],
    },
    { target: `${publicUrl}/`, action: 'tdm:mine', duty: [{ action: 'obtainConsent' }] },
  ],
});
