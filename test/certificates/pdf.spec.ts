import { describe, expect, it, jest } from '@jest/globals';
import { PdfCertificatePrinter } from '../../adapters/pdf/pdf-certificate-printer.js';
import type { Certificate } from '../../application/purchases/contract.js';

// Faces are parsed slowly on a busy machine.
jest.setTimeout(60_000);

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

describe('the certificate on paper', () => {
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
