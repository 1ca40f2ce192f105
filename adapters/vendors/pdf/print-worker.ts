import { parentPort } from 'node:worker_threads';
import type { Certificate } from '../../../application/purchases/contract.js';
import type { DisputeEvidence } from '../../../application/purchases/dispute-evidence.js';
import type { MonthlyStatement } from '../../../application/ledger/reports/report-contract.js';
import { PdfCertificatePrinter } from './pdf-certificate-printer.js';
import type { EarningsYear } from '../../../application/payouts/contract.js';
import { printStatement, printYear } from './statement-pages.js';

export type PrintJob =
  | { certificate: Certificate; verifyUrl: string; evidence?: DisputeEvidence }
  | { statement: MonthlyStatement }
  | { year: EarningsYear; name: string };

export type PrintMessage = { type: 'done'; pdf: Uint8Array } | { type: 'failed'; message: string };

const printer = new PdfCertificatePrinter();
const send = (message: PrintMessage) => parentPort?.postMessage(message);

const print = (job: PrintJob): Promise<Buffer> =>
  'statement' in job
    ? printStatement(job.statement)
    : 'year' in job
      ? printYear(job.year, job.name)
      : printer.print(job.certificate, job.verifyUrl, job.evidence);

parentPort?.on('message', (job: PrintJob) => {
  print(job).then(
    (pdf) => send({ type: 'done', pdf }),
    (error: Error) => send({ type: 'failed', message: error.message }),
  );
});
