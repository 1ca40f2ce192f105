import { parentPort } from 'node:worker_threads';
import type { Certificate } from '../../../application/purchases/contract.js';
import { PdfCertificatePrinter } from './pdf-certificate-printer.js';

export interface PrintJob {
  certificate: Certificate;
  verifyUrl: string;
}

export type PrintMessage = { type: 'done'; pdf: Uint8Array } | { type: 'failed'; message: string };

const printer = new PdfCertificatePrinter();
const send = (message: PrintMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ certificate, verifyUrl }: PrintJob) => {
  printer.print(certificate, verifyUrl).then(
    (pdf) => send({ type: 'done', pdf }),
    (error: Error) => send({ type: 'failed', message: error.message }),
  );
});
