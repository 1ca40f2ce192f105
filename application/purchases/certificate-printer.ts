import type { Certificate } from './contract.js';

/** Makes a PDF of a certificate. */
export abstract class CertificatePrinter {
  /** @param verifyUrl at which anybody can check it @returns a PDF of one page */
  abstract print(certificate: Certificate, verifyUrl: string): Promise<Buffer>;
}
