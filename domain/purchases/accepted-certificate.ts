import type { CertifiedPurchase } from '../shared/certified-purchase.js';
import type { Reason } from '../shared/remark.js';

/** The evidence for a purchase that a restored log lacked. Two people accepted it. */
export interface AcceptedCertificate extends CertifiedPurchase, Reason {
  /** The id of the approval. The purchase that is recorded with the approval has the same id. */
  approvalId: string;
  by: string;
  approvedBy: string;
}

export type CertificateAccepted = { type: 'CertificateAccepted'; data: AcceptedCertificate & { at: string } };

/** The stream of a certificate has one event at most, because a certificate is accepted once. */
export const acceptedCertificateStream = (certificateId: string): string => `certificate-${certificateId}`;
