import { parentPort } from 'node:worker_threads';
import type { Certificate } from '../../../application/purchases/contract.js';
import type { DisputeEvidence } from '../../../application/purchases/dispute-evidence.js';
import { PdfCertificatePrinter } from './pdf-certificate-printer.js';

export interface PrintJob {
  certificate: Certificate;
  verifyUrl: string;
  evidence?: DisputeEvidence;
}

export type PrintMessage = { type: 'done'; pdf: Uint8Array } | { type: 'failed'; message: string };

const printer = new PdfCertificatePrinter();
const send = (message: PrintMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ certificate, verifyUrl, evidence }: PrintJob) => {
  printer.print(certificate, verifyUrl, evidence).then(
    (pdf) => send({ type: 'done', pdf }),
    (error: Error) => send({ type: 'failed', message: error.message }),
  );
});
