import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { downloadsQuery } from '../../web/src/api/account.js';
import { queryClient } from '../../web/src/api/query-client.js';
import { isOwned } from '../../web/src/downloads/owned.js';
import { useDownload } from '../../web/src/downloads/use-download.js';
import { signOut } from '../../web/src/session/session.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { StubServer, takeFiles } from './support/server.js';

let happened: string[];
let stop: () => void;

function Again() {
  const { downloadOwned } = useDownload();
  return (
    <button type="button" onClick={() => void downloadOwned([{ sampleId: 's-1', title: 'Felt Keys' }])}>
      Again
    </button>
  );
}

beforeEach(() => {
  happened = [];
  const download = { url: '/files/felt.wav', filename: 'Felt.wav', expiresAt: '2026-01-01T00:00:00Z' };
  new StubServer({
    'POST /api/downloads': () => {
      happened.push('handed out');
      return { status: 200, json: { charged: 0, balance: 5, download, certificateId: 'c' } };
    },
    'GET /files/felt.wav': () => {
      happened.push('delivered');
      return {};
    },
    'GET /api/credits': { json: { balance: 5, lots: [] } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  takeFiles();
  URL.createObjectURL = () => 'blob:one';
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = () => undefined;
  signedInAs(NOOR);
  stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'invalidate' && isOwned({ id: 's-1' }))
      happened.push(`told of ${String(event.query.queryKey[0])}`);
  });
});
afterEach(async () => {
  stop();
  cleanup();
  await signOut();
});

it('[DL-11] tells the page that the downloads changed once the file is delivered', async () => {
  renderAt('/library?downloads', <Again />);
  queryClient.setQueryData(downloadsQuery.queryKey, { pages: [], pageParams: [] });
  await userEvent.click(screen.getByRole('button', { name: 'Again' }));
  await waitFor(() =>
    expect(happened).toEqual(['handed out', 'delivered', 'told of GET /api/library/downloads']),
  );
});
