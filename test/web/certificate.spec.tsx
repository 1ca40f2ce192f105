import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import CertificateScreen from '../../web/src/screens/certificate/certificate-screen.js';
import { sha256Of } from '../../web/src/folder/file-hash.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
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

it('[CERT-715] offers the dispute pack to the licensee only', async () => {
  signedInAs({ ...NOOR, id: certificate.licensee.id });
  const { unmount } = open('/certificates/c-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Download dispute pack' }));
  expect(await screen.findByRole('dialog', { name: 'Dispute pack' })).toBeDefined();
  unmount();
  signedInAs(NOOR);
  open('/certificates/c-1');
  expect(await screen.findByText('Valid certificate')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Download dispute pack' })).toBeNull();
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
  const file = new File([text], 'certificate.json');
  await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('Certificate file'), file);
  expect(await screen.findByText('Valid certificate')).toBeDefined();
});

describe('[CERT-700] an audio file', () => {
  const SOUND = 'RIFF and a whole sound';
  const hashOf = (text: string) => bytesToHex(sha256(new TextEncoder().encode(text)));
  const covering = {
    valid: true,
    reason: 'The signature matches.',
    certificate: { ...certificate, fileSha256: hashOf(SOUND) },
    copies: [{ sha256: hashOf('tagged'), sizeBytes: 6, madeAt: '2026-11-21T12:00:00.000Z' }],
  };
  const drop = (file: File) =>
    fireEvent.drop(screen.getByTestId('file-drop'), { dataTransfer: { files: [file] } });
  beforeEach(() => {
    server.on('GET /api/certificates/c-1/verification', { json: covering });
  });

  it.each([
    [SOUND, /^This is the file that certificate c-1 covers/],
    ['tagged', /^This is a tagged copy of the file that certificate c-1 covers/],
    ['another', 'This file is not the one the certificate covers.'],
  ])('is compared with the certificate of the address: %s', async (content, title) => {
    open('/certificates/c-1');
    await screen.findByText('Valid certificate');
    const asked = server.requests.length;
    drop(new File([content], 'break.wav'));
    expect(await screen.findByText(title)).toBeDefined();
    expect(screen.getAllByText(hashOf(content)).length).toBeGreaterThan(0);
    // With the hash, the shop would know who looks for which file.
    expect(server.requests).toHaveLength(asked);
  });

  it('is compared with a certificate given as JSON, and its tagged copies count', async () => {
    open('/certificates/verify');
    await userEvent.upload(
      screen.getByLabelText('Audio file'),
      new File(['tagged'], 'a.wav', { type: 'audio/wav' }),
    );
    expect(await screen.findByText('Now add its certificate')).toBeDefined();
    expect(server.requests).toEqual([]);
    await paste(JSON.stringify(covering.certificate));
    expect(await screen.findByText(/^This is a tagged copy/)).toBeDefined();
    await paste(JSON.stringify({ ...covering.certificate, signature: 'other' }));
    expect(await screen.findByText('Now add its certificate')).toBeDefined();
    expect(JSON.stringify(server.requests)).not.toContain(hashOf('tagged'));
  });

  it('[CERT-701] is refused if it is empty, too large or unreadable', async () => {
    open('/certificates/verify');
    drop(new File([], 'empty.wav'));
    expect(await screen.findByText('The file is empty.')).toBeDefined();
    drop(Object.defineProperty(new File(['x'], 'long.wav'), 'size', { value: 500_000_001 }));
    expect(await screen.findByText('The file is too large: at most 500 MB.')).toBeDefined();
    drop(
      Object.assign(new File(['x'], 'gone.wav'), {
        slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
      }) as File,
    );
    expect(await screen.findByText('The file could not be read.')).toBeDefined();
  });

  it('[CERT-701] shows its progress, and ends when it is cancelled', async () => {
    open('/certificates/verify');
    let reads = 0;
    const slow = Object.assign(new File(['x'], 'slow.wav'), {
      slice: () => ({ arrayBuffer: () => new Promise(() => (reads += 1)) }),
    }) as File;
    drop(slow);
    expect(await screen.findByRole('progressbar', { name: 'Reading slow.wav' })).toBeDefined();
    await waitFor(() => expect(reads).toBe(1));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
});

it('[CERT-701] a file is hashed in chunks, with progress up to the end, and stops at a signal', async () => {
  const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251);
  const shares: number[] = [];
  const { signal } = new AbortController();
  const hash = await sha256Of(new Blob([bytes]), { signal, onProgress: (share) => shares.push(share) });
  expect(hash).toBe(bytesToHex(sha256(bytes)));
  expect(shares).toHaveLength(3);
  expect(shares.at(-1)).toBe(1);
  const known = await sha256Of(new Blob(['abc']), { signal, onProgress: () => {} });
  expect(known).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  const stopped = new AbortController();
  const onProgress = () => stopped.abort();
  await expect(sha256Of(new Blob([bytes]), { signal: stopped.signal, onProgress })).rejects.toThrow();
});
