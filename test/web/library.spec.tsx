import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { invalidate } from '../../web/src/api/query-client.js';
import { dayName } from '../../web/src/screens/library/entries.js';
import LibraryScreen from '../../web/src/screens/library/library-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { pageWith } from './support/page.js';
import { FILE_FACTS, NOOR, leave, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused, takeFiles } from './support/server.js';

const LibraryPage = pageWith('library', LibraryScreen);

const saved = (id: string, title: string, createdAt: string) => ({
  id,
  item: { type: 'sample', id, title },
  sample: sampleNamed(id, { title }),
  createdAt,
});
const download = (id: string, track: string, createdAt: string, listed = true) => ({
  id: `row-${id}`,
  sampleId: id,
  sample: listed ? sampleNamed(id, { title: track }) : null,
  filename: `${id}.wav`,
  format: 'wav',
  sizeBytes: 4_900_000,
  track,
  pack: 'Rented Piano',
  creator: 'Wren Abbott',
  artwork: null,
  certificateId: `certificate-${id}`,
  createdAt,
  ...FILE_FACTS,
});
const page = (items: unknown[]) => ({ json: { items, nextCursor: null } });

let server: StubServer;

beforeEach(() => {
  takeFiles();
  server = new StubServer({
    'GET /api/library/saved': page([]),
    'GET /api/library/downloads': page([]),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
});

afterEach(leave);

const tabShown = () => screen.getByRole('tab', { selected: true }).textContent;

describe('the library', () => {
  it.each([
    ['/library', 'Saved Content'],
    ['/library?saved', 'Saved Content'],
    ['/library?downloads', 'Downloaded Content'],
  ])('[LIB-01] %s shows "%s"', (address, tab) => {
    renderAt(address, <LibraryPage />);
    expect(tabShown()).toContain(tab);
  });

  it('[LIB-01] keeps the tab in the address', async () => {
    const { path } = renderAt('/library?saved', <LibraryPage />);
    await userEvent.click(screen.getByRole('tab', { name: /Downloaded Content/ }));
    expect(path()).toBe('/library?downloads=');
    expect(tabShown()).toContain('Downloaded Content');
  });

  it.each([
    ['/library', 'No saved content yet.'],
    ['/library?downloads', 'No downloads yet.'],
  ])('[LIB-02] %s without anything reads "%s", signed out as well', async (address, text) => {
    renderAt(address, <LibraryPage />);
    await screen.findByText(text);
    cleanup();
    await signOut();
    renderAt(address, <LibraryPage />);
    await screen.findByText(text);
    expect(server.seen('GET /api/library/saved').length).toBeLessThanOrEqual(1);
  });

  it('[LIB-02] lists newest first with a preview, under their days', async () => {
    const rows = [saved('b', 'Second', '2026-11-18T10:00:00Z'), saved('a', 'First', '2026-11-12T10:00:00Z')];
    server.on('GET /api/library/saved', page(rows.toReversed()));
    renderAt('/library', <LibraryPage />);
    await screen.findByText('Second');
    const titles = screen.getAllByRole('listitem').map((row) => row.textContent?.match(/First|Second/)?.[0]);
    expect(titles).toEqual(['Second', 'First']);
    expect(document.querySelectorAll('.waveform')).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Play Second' })).toBeTruthy();
  });

  it('searches and orders what is shown', async () => {
    const rows = [
      saved('a', 'Zither', '2026-11-18T10:00:00Z'),
      saved('b', 'Accordion', '2026-11-17T10:00:00Z'),
    ];
    server.on('GET /api/library/saved', page(rows));
    renderAt('/library', <LibraryPage />);
    await screen.findByText('Zither');
    await userEvent.selectOptions(screen.getByLabelText('Order'), 'title');
    const titles = screen
      .getAllByRole('listitem')
      .map((row) => row.textContent?.match(/Zither|Accordion/)?.[0]);
    expect(titles).toEqual(['Accordion', 'Zither']);
    await userEvent.type(screen.getByLabelText('Search your library'), 'zith');
    expect(screen.queryByText('Accordion')).toBeNull();
  });

  it('removes at once, and puts back on request', async () => {
    let kept = [saved('a', 'First', '2026-11-12T10:00:00Z')];
    server.on('GET /api/library/saved', () => page(kept));
    server.on('DELETE /api/library/saved/a', () => {
      kept = [];
      return { status: 204 };
    });
    renderAt('/library', <LibraryPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove First' }));
    await screen.findByText('No saved content yet.');
    expect(screen.getByText('Track removed from your library')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  });

  it('[LIB-03] says that a removal failed, and keeps the row', async () => {
    server.on('GET /api/library/saved', page([saved('a', 'First', '2026-11-12T10:00:00Z')]));
    server.on('DELETE /api/library/saved/a', refused('InternalError'));
    renderAt('/library', <LibraryPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove First' }));
    await screen.findByText('Failed to remove. Try again.');
    expect(screen.getByText('First')).toBeTruthy();
  });

  it('[LIB-03] [DL-04] downloads again without offering a credit, and says when the file is missing', async () => {
    server.on('GET /api/library/downloads', page([download('a', 'First', '2026-11-12T10:00:00Z', false)]));
    server.on('POST /api/downloads', {
      json: {
        charged: 0,
        balance: 5,
        certificateId: 'c',
        download: { url: '/files/a.wav', filename: 'a.wav', expiresAt: '2027-01-01T00:00:00Z' },
      },
    });
    renderAt('/library?downloads', <LibraryPage />);
    await userEvent.click(
      await screen.findByRole('button', { name: /^Already downloaded - click to download again/ }),
    );
    await screen.findByText('Download failed');
    expect(server.seen('POST /api/downloads')[0]?.body).toEqual({ sampleId: 'a', expectedCredits: 0 });
  });

  it('[WEB-02] asks once for a page that fails, says that something is missing, and goes on when asked', async () => {
    let failing = true;
    server.on('GET /api/library/downloads', ({ query }) => {
      const cursor = query.get('cursor');
      if (cursor && failing) return refused('InternalError');
      const row = download(cursor ?? 'one', `Track ${cursor ?? 'one'}`, '2026-11-20T10:00:00Z');
      return { json: { items: [row], nextCursor: cursor ? null : 'two' } };
    });
    renderAt('/library?downloads', <LibraryPage />);
    await screen.findByText('Part of your library could not be loaded');
    expect(screen.getByText('Track one')).toBeTruthy();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(server.seen('GET /api/library/downloads')).toHaveLength(2);
    failing = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Track two');
    expect(screen.queryByText('Part of your library could not be loaded')).toBeNull();
    expect(server.seen('GET /api/library/downloads')).toHaveLength(3);
  });

  it('[WEB-21] requests a page again after a refetch that began together with its request', async () => {
    let began = false;
    server.on('GET /api/library/saved', async ({ query }) => {
      const cursor = query.get('cursor');
      if (cursor && !began) void invalidate('GET /api/library/saved');
      began ||= cursor !== null;
      await new Promise((arrived) => setTimeout(arrived, 20));
      const row = saved(cursor ?? 'one', `Left ${cursor ?? 'one'}`, '2026-11-20T10:00:00Z');
      return { json: { items: [row], nextCursor: cursor ? null : 'two' } };
    });
    renderAt('/library', <LibraryPage />);
    await screen.findByText('Left two');
  });

  it('[WEB-03] says that putting back failed, and offers it again', async () => {
    server.on('GET /api/library/saved', page([saved('a', 'Left hand', '2026-11-20T10:00:00Z')]));
    server.on('DELETE /api/library/saved/:id', { status: 204 });
    server.on('PUT /api/library/saved/:id', refused('InternalError'));
    renderAt('/library', <LibraryPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Left hand' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('The item was not restored. Try again.');
    server.on('PUT /api/library/saved/:id', {});
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('The item was not restored. Try again.')).toBeNull());
    expect(server.seen('PUT /api/library/saved/:id')).toHaveLength(2);
  });

  it('names the licence and the size, and adds up what is selected', async () => {
    const rows = ['a', 'b'].map((id) => download(id, `Sound ${id}`, '2026-11-12T10:00:00Z'));
    server.on('GET /api/library/downloads', page(rows));
    renderAt('/library?downloads', <LibraryPage />);
    await userEvent.click(await screen.findByLabelText('Select Sound a'));
    await userEvent.click(screen.getByLabelText('Select Sound b'));
    await waitFor(() => expect(screen.getByText('2 picked')).toBeTruthy());
    expect(screen.getByText('nothing to pay, one ZIP, 9.8 MB')).toBeTruthy();
    expect(screen.getByTitle('Licence certificate certificate-a').getAttribute('href')).toBe(
      '/api/certificates/certificate-a.pdf',
    );
  });

  it('[CERT-715] opens the dispute pack of a download', async () => {
    server.on('GET /api/library/downloads', page([download('a', 'Sound a', '2026-11-12T10:00:00Z')]));
    renderAt('/library?downloads', <LibraryPage />);
    await userEvent.click(await screen.findByRole('button', { name: 'Download dispute pack: Sound a' }));
    expect(await screen.findByRole('dialog', { name: 'Dispute pack' })).toBeTruthy();
  });

  it('names days as people do', () => {
    const now = new Date(2026, 10, 20, 9);
    expect(dayName(new Date(2026, 10, 20, 1).toISOString(), now)).toBe('Today');
    expect(dayName(new Date(2026, 10, 19, 23).toISOString(), now)).toBe('Yesterday');
    expect(dayName(new Date(2026, 10, 12).toISOString(), now)).toBe('12 November');
    expect(dayName(new Date(2025, 10, 12).toISOString(), now)).toBe('12 November 2025');
  });
});
