/** What a certificate says about a purchase, without names. */
export interface CertifiedPurchase {
  certificateId: string;
  buyerId: string;
  sampleId: string;
  creatorId: string;
  /** The delivered file. */
  fileSha256: string;
  /** The time of the purchase, as the certificate states it. */
  issuedAt: string;
}
