import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { queryClient } from '../../web/src/api/query-client.js';
import { downloadsQuery } from '../../web/src/api/account.js';
import { player } from '../../web/src/player/player.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import LibraryScreen from '../../web/src/screens/library/library-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { pageWith } from './support/page.js';
import { FILE_FACTS, NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';

const LibraryPage = pageWith('library', LibraryScreen);

const download = {
  id: 'row-a',
  sampleId: 'a',
  sample: sampleNamed('a'),
  filename: 'Wren Abbott - Take: two.wav',
  format: 'wav',
  sizeBytes: 4_900_000,
  track: 'Take: two',
  pack: 'Rented Piano',
  creator: 'Wren Abbott',
  artwork: null,
  certificateId: 'c',
  ...FILE_FACTS,
  createdAt: '2026-11-20T10:00:00.000Z',
};

beforeEach(() => {
  new StubServer({
    'GET /api/library/saved': { json: { items: [], nextCursor: null } },
    'GET /api/library/downloads': { json: { items: [download], nextCursor: null } },
    'GET /media/previews/:file': {},
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
});
afterEach(async () => {
  player.close();
  cleanup();
  queryClient.clear();
  await signOut();
});

/** Begins a drag as a browser does. @returns the dragged data by type */
function drag(from: Element): Record<string, string> {
  const data: Record<string, string> = {};
  const event = createEvent.dragStart(from);
  const dataTransfer = { effectAllowed: 'all', setData: (kind: string, text: string) => (data[kind] = text) };
  Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
  fireEvent(from, event);
  return data;
}
const onDisk = (address: string) => `audio/wav:Wren Abbott - Take_ two.wav:${address}`;
const ADDRESS = `${window.location.origin}/api/downloads/a/file`;
const rowTitle = (text: string) => screen.getByText(text).closest('.row-title') as HTMLElement;

describe('dragging a file out of the page', () => {
  it('names an owned file, its kind and where it is fetched', async () => {
    renderAt('/library?downloads', <LibraryPage />);
    await screen.findByText('Take: two');
    expect(rowTitle('Take: two').draggable).toBe(true);
    expect(drag(rowTitle('Take: two'))).toEqual({ DownloadURL: onDisk(ADDRESS), 'text/uri-list': ADDRESS });
  });

  it('[WEB-15] names the backend of the page, where that is elsewhere', async () => {
    renderAt('/library?downloads', <LibraryPage />);
    await screen.findByText('Take: two');
    const meta = { name: 'offcut-backend', content: 'https://api.localhost' };
    const named = Object.assign(document.createElement('meta'), meta);
    document.head.append(named);
    const dragged = drag(rowTitle('Take: two'));
    named.remove();
    expect(dragged['text/uri-list']).toBe('https://api.localhost/api/downloads/a/file');
  });

  it('learns the name while the pointer is on a row of any list', async () => {
    renderAt(
      '/search',
      <SampleList samples={[sampleNamed('a', { owned: true })]} place="list" label="Tracks" />,
    );
    const row = screen.getByRole('listitem');
    const title = row.querySelector('.row-title') as HTMLElement;
    expect(drag(title)).toEqual({});
    await userEvent.hover(row);
    await waitFor(() => expect(queryClient.getQueryData(downloadsQuery.queryKey)).toBeTruthy());
    expect(drag(title).DownloadURL).toBe(onDisk(ADDRESS));
  });

  it('drags nothing that is not owned', async () => {
    renderAt('/search', <SampleList samples={[sampleNamed('a')]} place="list" label="Tracks" />);
    const row = screen.getByRole('listitem');
    await userEvent.hover(row);
    const title = row.querySelector('.row-title') as HTMLElement;
    expect(title.getAttribute('draggable')).toBeNull();
    expect(drag(title)).toEqual({});
  });
});
