import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { CertificatePrinter } from '../../../application/purchases/certificates.js';
import type { Certificate } from '../../../application/purchases/contract.js';
import type { DisputeEvidence } from '../../../application/purchases/dispute-evidence.js';
import type { StatementPrinter } from '../../../application/ledger/reports/monthly-statement.js';
import type { MonthlyStatement } from '../../../application/ledger/reports/report-contract.js';
import type { EarningsYear } from '../../../application/payouts/contract.js';
import type { YearPrinter } from '../../../application/payouts/earnings-years.js';
import { Lane, CAPACITY } from '../../../application/shared/lanes.js';
import type { PrintJob, PrintMessage } from './print-worker.js';

const TIME_LIMIT_MS = 30_000;
const MEMORY_LIMIT_MB = 256;
const KEPT_LIMIT_BYTES = 16 * 1024 * 1024;

/** Prints in its own thread, because a page takes half a second. Caches, because a certificate never changes. */
export class WorkerPrinter implements CertificatePrinter, StatementPrinter, YearPrinter {
  private readonly lane = new Lane({ work: 'certificates', ...CAPACITY.certificates });
  private readonly kept = new Map<string, Promise<Buffer>>();
  private readonly sizes = new Map<string, number>();
  private keptBytes = 0;
  private worker: Worker | undefined;

  /** @throws TooBusy */
  print(certificate: Certificate, verifyUrl: string, evidence?: DisputeEvidence): Promise<Buffer> {
    // A page of evidence is not cached: each is new, so it would only displace certificates from the cache.
    if (evidence) return this.lane.run(() => this.printFresh({ certificate, verifyUrl, evidence }));
    const name = createHash('sha256')
      .update(JSON.stringify([certificate, verifyUrl]))
      .digest('base64url');
    const known = this.kept.get(name);
    if (known) return known;
    const printed = this.lane.run(() => this.printFresh({ certificate, verifyUrl }));
    this.kept.set(name, printed);
    printed.then(
      (pdf) => this.account(name, pdf.length),
      () => this.kept.delete(name),
    );
    return printed;
  }

  /** @throws TooBusy */
  printStatement(statement: MonthlyStatement): Promise<Buffer> {
    return this.lane.run(() => this.printFresh({ statement }));
  }

  /** @throws TooBusy */
  printYear(year: EarningsYear, name: string): Promise<Buffer> {
    return this.lane.run(() => this.printFresh({ year, name }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private account(name: string, bytes: number): void {
    this.sizes.set(name, bytes);
    this.keptBytes += bytes;
    for (const [oldest, size] of this.sizes) {
      if (this.keptBytes <= KEPT_LIMIT_BYTES) break;
      this.keptBytes -= size;
      this.sizes.delete(oldest);
      this.kept.delete(oldest);
    }
  }

  private async printFresh(job: PrintJob): Promise<Buffer> {
    const worker = (this.worker ??= this.start());
    worker.ref();
    let timer: NodeJS.Timeout | undefined;
    try {
      const message = await new Promise<PrintMessage>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.once('exit', () => reject(new Error('the printing thread ended')));
        timer = setTimeout(() => reject(new Error('printing timed out')), TIME_LIMIT_MS);
        worker.postMessage(job);
      });
      if (message.type === 'failed') throw new Error(`a document was not printed: ${message.message}`);
      worker.unref();
      return Buffer.from(message.pdf);
    } catch (error) {
      // The next certificate gets a new thread.
      this.worker = undefined;
      void worker.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      worker.on('error', () => {});
    }
  }

  private start(): Worker {
    const isCompiled = import.meta.url.endsWith('.js');
    const entry = isCompiled ? './print-worker.js' : '../audio/worker-from-source.mjs';
    return new Worker(new URL(entry, import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
      // Printing needs neither the environment nor the command-line arguments of the application.
      env: {},
      execArgv: [],
      workerData: isCompiled ? undefined : { source: new URL('./print-worker.ts', import.meta.url).href },
    });
  }
}
