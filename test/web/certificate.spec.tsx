import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import CertificateScreen from '../../web/src/screens/certificate/certificate-screen.js';
import { renderAt } from './support/render.js';
import { StubServer } from './support/server.js';

const certificate = {
  id: 'c-1',
  sample: { id: 's-1', title: 'Felt Keys', pack: 'Rented Piano' },
  creator: { id: 'u-1', displayName: 'Wren Abbott' },
  licensee: { id: 'u-2', displayName: 'Noor' },
  licenceVersion: '1.0',
  issuedAt: '2026-11-20T12:00:00.000Z',
  fileSha256: 'a'.repeat(64),
  signature: 'sig',
};

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/certificates/c-1/verification': {
      json: {
        valid: true,
        reason: 'The signature matches.',
        certificate,
        copies: [{ sha256: 'b'.repeat(64), sizeBytes: 1_000, madeAt: '2026-11-21T12:00:00.000Z' }],
      },
    },
    'GET /api/certificates/c-2/verification': {
      status: 404,
      json: { code: 'NotFound', title: 'Not found', status: 404 },
    },
    'POST /api/certificates/verify': ({ body }) =>
      (body as typeof certificate).signature === 'sig'
        ? { json: { valid: true, reason: 'The signature matches.' } }
        : { json: { valid: false, reason: 'The signature does not match.' } },
  });
});
afterEach(cleanup);

const open = (address: string) =>
  renderAt(
    address,
    <Routes>
      <Route path="/certificates/:id" element={<CertificateScreen />} />
    </Routes>,
  );
const paste = async (text: string) => {
  const box = screen.getByLabelText('Certificate as JSON');
  await userEvent.clear(box);
  await userEvent.click(box);
  await userEvent.paste(text);
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }));
};

it('[CERT-02, DL-711] shows what stands under the id in the address', async () => {
  open('/certificates/c-1');
  expect(await screen.findByText('Valid certificate')).toBeDefined();
  expect(screen.getByText('Noor')).toBeDefined();
  expect(screen.getByText('Felt Keys, from “Rented Piano”')).toBeDefined();
  expect(screen.getByText('b'.repeat(64))).toBeDefined();
});

it('[CERT-02] takes an id, and says when nothing was issued under it', async () => {
  const { path } = open('/certificates/verify');
  expect(server.requests).toEqual([]);
  await userEvent.type(screen.getByLabelText('Certificate id'), ' c-2 {enter}');
  expect(await screen.findByText('Not valid')).toBeDefined();
  expect(screen.getByText('No certificate was issued under this id.')).toBeDefined();
  expect(path()).toBe('/certificates/c-2');
});

it('[CERT-02] verifies a certificate that is pasted, and tells a changed one', async () => {
  open('/certificates/verify');
  await paste(JSON.stringify(certificate));
  expect(await screen.findByText('Valid certificate')).toBeDefined();
  await paste(JSON.stringify({ ...certificate, signature: 'other' }));
  expect(await screen.findByText('The signature does not match.')).toBeDefined();
  expect(screen.queryByText('Noor')).toBeNull();
  await paste('no certificate');
  expect(await screen.findByText(/This text is not a certificate/)).toBeDefined();
});

it('[CERT-02] reads a certificate from its file', async () => {
  open('/certificates/verify');
  const text = JSON.stringify(certificate);
  // Files of jsdom have no `text` method.
  const file = Object.assign(new File([text], 'certificate.json'), { text: () => Promise.resolve(text) });
  await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('Certificate file'), file);
  expect(await screen.findByText('Valid certificate')).toBeDefined();
});
