import type { Certificate } from './contract.js';

/** Sets a certificate for paper. */
export abstract class CertificatePrinter {
  /** @param verifyUrl at which anybody can check it @returns a PDF of one page */
  abstract print(certificate: Certificate, verifyUrl: string): Promise<Buffer>;
}
