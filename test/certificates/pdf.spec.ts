import { afterAll, describe, expect, it } from '@jest/globals';
import { WorkerPrinter } from '../../adapters/vendors/pdf/worker-printer.js';
import { TooBusy } from '../../application/shared/lanes.js';
import { PdfCertificatePrinter } from '../../adapters/vendors/pdf/pdf-certificate-printer.js';
import type { Certificate } from '../../application/purchases/contract.js';
import type { DisputeEvidence } from '../../application/purchases/dispute-evidence.js';

// Parsing fonts is slow on a busy machine.

const certificate: Certificate = {
  id: '0b6f7c8e-2f0f-4a55-9a44-0a2c5a1f3d11',
  sample: { id: 'sample-1', title: 'Felt Keys, Öland morning', pack: 'Rented Piano' },
  creator: { id: 'creator-1', displayName: 'Wren Abbott' },
  licensee: { id: 'listener-1', displayName: 'Łukasz Žižek' },
  licenceVersion: '1.0',
  issuedAt: '2026-11-20T12:00:00.000Z',
  fileSha256: 'c0ffee'.repeat(10) + 'abcd',
  signature: 'S'.repeat(86),
};
const ADDRESS = 'https://offcut.example/certificates/0b6f7c8e-2f0f-4a55-9a44-0a2c5a1f3d11';

const printed = (more: Partial<Certificate> = {}) =>
  new PdfCertificatePrinter().print({ ...certificate, ...more }, ADDRESS);

describe('printing off the main thread', () => {
  const printer = new WorkerPrinter();
  afterAll(() => printer.onApplicationShutdown());

  it('[OPS-72] gives the same file, while this thread goes on, and prints it once', async () => {
    let turns = 0;
    let done = false;
    const count = () => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const pdf = await printer.print(certificate, ADDRESS).finally(() => (done = true));
    // Rendering on this thread would let the event loop turn only once or twice.
    expect(turns).toBeGreaterThan(100);
    expect(pdf.equals(await printed())).toBe(true);
    expect(await printer.print({ ...certificate }, ADDRESS)).toBe(pdf);
    expect(await printer.print(certificate, `${ADDRESS}x`)).not.toBe(pdf);
  });

  it('[OPS-72] refuses what would wait too long, and goes on after it', async () => {
    const many = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => printer.print({ ...certificate, id: `many-${n}` }, ADDRESS)),
    );
    const refused = many.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(7);
    expect(refused.every(({ reason }) => reason instanceof TooBusy)).toBe(true);
    expect((await printer.print({ ...certificate, id: 'many-39' }, ADDRESS)).length).toBeGreaterThan(1_000);
  });
});

describe('the certificate on paper', () => {
  it.each(['1.0', '1.1', '9.9'])(
    '[RIGHT-11] takes the text of licence %s on one page',
    async (licenceVersion) => {
      const pdf = await printed({
        licenceVersion,
        ...(licenceVersion === '1.0' ? {} : { aiTraining: false }),
      });
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      // Each licence version has its own text.
      expect(pdf.equals(await printed({ licenceVersion: licenceVersion === '1.1' ? '1.0' : '1.1' }))).toBe(
        false,
      );
    },
  );

  it('[CERT-01] is a PDF of one page that leads to its verification', async () => {
    const pdf = await printed();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.toString('latin1')).toContain(`/URI (${ADDRESS})`);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
  it.each([
    ['very long names', { title: 'A very long title that goes on '.repeat(12) }],
    ['letters of no house face', { title: '夜のピアノ 🎹 Привет' }],
    ['an empty title', { title: '' }],
  ])('takes %s on one page', async (_, sample) => {
    const pdf = await printed({ sample: { ...certificate.sample, ...sample } });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});

describe('[CERT-710] the evidence of a dispute pack', () => {
  const bars = Array.from({ length: 600 }, (_, at) => at % 101);
  const evidence: DisputeEvidence = {
    copies: Array.from({ length: 7 }, (_, n) => ({
      sha256: String(n).repeat(64),
      sizeBytes: 9,
      madeAt: '2026-11-21T12:00:00.000Z',
    })),
    log: {
      event: {
        position: 12_345,
        stream: 'purchase-listener-1.sample-1',
        version: 1,
        type: 'SamplePurchased',
        recordedAt: '2026-11-20T12:00:00.000Z',
        data: '{}',
        metadata: '{}',
      },
      previousHash: 'd'.repeat(64),
      hash: 'e'.repeat(64),
      head: {
        hour: '2026-11-20T13',
        position: 12_400,
        hash: 'f'.repeat(64),
        previous: '2026-11-20T12',
        signedAt: '2026-11-20T13:00:12.000Z',
        signature: 'S'.repeat(86),
      },
      statement: { signedAt: '2026-11-27T06:00:00.000Z', signature: 'S'.repeat(86) },
    },
    returnedAt: '2026-11-22T12:00:00.000Z',
    waveforms: { original: bars, compared: { name: '夜 🎹 song '.repeat(20), durationMs: 184_000, bars } },
  };
  const none = { ...evidence, copies: [], returnedAt: null, waveforms: { original: null, compared: null } };

  it.each([
    ['everything that it can hold', evidence],
    ['nothing but the purchase', { ...none, log: { ...evidence.log, head: null } }],
  ])('fits on a second page: %s', async (_, given) => {
    const pdf = await new PdfCertificatePrinter().print(certificate, ADDRESS, given);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
  });
});
