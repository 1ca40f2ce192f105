import type { Certificate } from './contract.js';

export abstract class CertificatePrinter {
  /** @param verifyUrl the public page that verifies the certificate @returns a PDF of one page */
  abstract print(certificate: Certificate, verifyUrl: string): Promise<Buffer>;
}
