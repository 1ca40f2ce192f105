import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnCollection } from '../../application/library/collections/contract.js';
import CollectDialog from '../../web/src/collections/collect-dialog.js';
import {
  askCollect,
  closeCollect,
  collectableSample,
  useCollectRequest,
} from '../../web/src/collections/collect-request.js';
import InvitationScreen from '../../web/src/screens/invitation/invitation-screen.js';
import LibraryScreen from '../../web/src/screens/library/library-screen.js';
import OwnCollectionScreen from '../../web/src/screens/own-collection/own-collection-screen.js';
import ShareDialog from '../../web/src/screens/own-collection/share-dialog.js';
import SharedCollectionScreen from '../../web/src/screens/shared-collection/shared-collection-screen.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import { carryOnAfterSignIn } from '../../web/src/session/after-sign-in.js';
import { signOut } from '../../web/src/session/session.js';
import { carryOn } from '../../web/src/shell/carry-on.js';
import { pageWith } from './support/page.js';
import { leave, navigationAt, NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { refused, StubServer } from './support/server.js';

const AT = '2026-11-20T10:00:00.000Z';
const ME = { id: NOOR.id, displayName: NOOR.displayName };
const BEN = { id: 'ben', displayName: 'Ben Ode' };
const SOUNDS = ['Alpha', 'Beta', 'Gamma'].map((title) => sampleNamed(title.toLowerCase(), { title }));
const entryOf = (title: string, addedBy: typeof ME | null = ME) => ({
  sampleId: title.toLowerCase(),
  title,
  sample: SOUNDS.find((sound) => sound.title === title) ?? null,
  addedBy,
  addedAt: AT,
});
const COLLECTION: OwnCollection = {
  id: 'late',
  name: 'Late finds',
  description: '',
  role: 'owner',
  ownerName: NOOR.displayName,
  shareUrl: null,
  invitationUrl: null,
  collaborator: null,
  entries: [entryOf('Alpha'), entryOf('Beta'), entryOf('Gamma')],
  totalCredits: 3,
  missingCredits: 2,
  createdAt: AT,
  updatedAt: AT,
};
const CARD = {
  id: 'late',
  name: 'Late finds',
  role: 'owner' as const,
  ownerName: NOOR.displayName,
  isShared: false,
  sampleCount: 3,
  covers: [],
  hasSample: false,
  updatedAt: AT,
};
const Collection = pageWith('own-collection', OwnCollectionScreen);
const Shared = pageWith('shared-collection', SharedCollectionScreen);
const Invitation = pageWith('invitation', InvitationScreen);
/** The router gives the pages the parts of their addresses. */
const PAGES = (
  <Routes>
    <Route path="/library/collections/:id" element={<Collection />} />
    <Route path="/shared/:token" element={<Shared />} />
    <Route path="/invitation/:token" element={<Invitation />} />
  </Routes>
);
const LibraryPage = pageWith('library', LibraryScreen);

let server: StubServer;
/** What the stubbed server has. */
let now: OwnCollection;

beforeEach(() => {
  now = { ...COLLECTION, entries: [...COLLECTION.entries] };
  server = new StubServer({
    'GET /api/collections/own': () => ({ json: { items: [{ ...CARD, hasSample: now.entries.length > 3 }] } }),
    'GET /api/collections/own/:id': () => ({ json: now }),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
});
afterEach(async () => {
  act(closeCollect);
  await leave();
});

const titles = () =>
  within(screen.getByRole('list', { name: 'Samples of Late finds' }))
    .getAllByRole('group')
    .map((row) => row.getAttribute('aria-label')?.split(',')[0]);

function Host() {
  const thing = useCollectRequest();
  return (
    <>
      <SampleList samples={SOUNDS} place="list" label="Results" />
      {thing && <CollectDialog thing={thing} onClose={closeCollect} />}
    </>
  );
}

describe('the menu "Add to collection"', () => {
  it('[LIB-747] adds a sample and removes it again, shown at once, and reports a refusal', async () => {
    renderAt('/discover', <Host />);
    server.on('POST /api/collections/own/:id/samples', () => {
      now.entries.push(entryOf('Delta'));
      return { json: { added: 1 } };
    });
    fireEvent.keyDown(screen.getByRole('listitem', { name: /^Alpha/ }), { key: 'c' });
    const card = await screen.findByRole('button', { name: /Late finds/ });
    await userEvent.click(card);
    expect(card.getAttribute('aria-pressed')).toBe('true');
    await screen.findByText('Added to Late finds');
    expect(server.seen('POST /api/collections/own/late/samples')[0]?.body).toEqual({ sampleIds: ['alpha'] });
    server.on('DELETE /api/collections/own/:id/samples/:sampleId', refused('NotAllowed'));
    await waitFor(() => expect(card.getAttribute('aria-pressed')).toBe('true'));
    await userEvent.click(card);
    await screen.findByRole('alert');
    await waitFor(() => expect(card.getAttribute('aria-pressed')).toBe('true'));
  });

  it('[LIB-747] creates a collection with all samples of a pack', async () => {
    renderAt('/discover', <Host />);
    server.on('POST /api/collections/own', { status: 201, json: { ...COLLECTION, name: 'New' } });
    await act(() => askCollect({ title: 'Rented Piano', sampleIds: ['alpha', 'beta'] }));
    await userEvent.type(
      await screen.findByRole('textbox', { name: 'Name of a new collection' }),
      ' New {Enter}',
    );
    await screen.findByText('Collection created');
    expect(server.seen('POST /api/collections/own')[0]?.body).toEqual({
      name: ' New ',
      sampleIds: ['alpha', 'beta'],
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[LIB-747] asks a guest to sign in, and opens afterwards', async () => {
    const stop = carryOnAfterSignIn((intent) => void carryOn(intent, navigationAt('/discover')));
    await act(() => signOut());
    renderAt('/discover', <Host />);
    await act(() => askCollect(collectableSample(SOUNDS[0]!)));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => signedInAs(NOOR));
    await screen.findByRole('dialog', { name: 'Add to collection' });
    stop();
  });
});

describe('the page of a collection', () => {
  const show = async () => {
    renderAt('/library/collections/late', PAGES);
    await screen.findByRole('list', { name: 'Samples of Late finds' });
  };

  it('[LIB-748] moves samples with the keyboard, keeps the focus, and sends every move in turn', async () => {
    server.on('PUT /api/collections/own/:id/samples/:sampleId/place', ({ body }) => {
      const order =
        (body as { after: string }).after === 'beta'
          ? ['Beta', 'Alpha', 'Gamma']
          : ['Beta', 'Gamma', 'Alpha'];
      now.entries = order.map((title) => entryOf(title));
      return { status: 204 };
    });
    await show();
    const row = () => screen.getByRole('group', { name: /^Alpha/ });
    act(() => row().focus());
    fireEvent.keyDown(row(), { key: 'ArrowDown', altKey: true });
    await waitFor(() => expect(titles()).toEqual(['Beta', 'Alpha', 'Gamma']));
    expect(document.activeElement).toBe(row());
    const grip = () => screen.getByRole('button', { name: /^Move.*: Alpha$/ });
    act(() => grip().focus());
    fireEvent.keyDown(grip(), { key: 'ArrowDown' });
    await waitFor(() => expect(titles()).toEqual(['Beta', 'Gamma', 'Alpha']));
    expect(document.activeElement).toBe(grip());
    expect(screen.getByText('Alpha is at 3 of 3.')).toBeTruthy();
    const path = 'PUT /api/collections/own/late/samples/alpha/place';
    await waitFor(() =>
      expect(server.seen(path).map(({ body }) => body)).toEqual([{ after: 'beta' }, { after: 'gamma' }]),
    );
  });

  it('[LIB-748] takes a refused move back', async () => {
    server.on('PUT /api/collections/own/:id/samples/:sampleId/place', refused('StaleVersion'));
    await show();
    fireEvent.keyDown(screen.getByRole('button', { name: /^Move.*: Beta$/ }), { key: 'ArrowUp' });
    await screen.findByText('The order was not saved');
    await waitFor(() => expect(titles()).toEqual(['Alpha', 'Beta', 'Gamma']));
  });

  it('[LIB-748] removes a sample, and puts it back in its place', async () => {
    server.on('DELETE /api/collections/own/:id/samples/:sampleId', () => {
      now.entries = now.entries.filter(({ sampleId }) => sampleId !== 'beta');
      return { status: 204 };
    });
    server.on('POST /api/collections/own/:id/samples', { json: { added: 1 } });
    server.on('PUT /api/collections/own/:id/samples/:sampleId/place', { status: 204 });
    await show();
    await userEvent.click(screen.getByRole('button', { name: 'Remove from the collection: Beta' }));
    await waitFor(() => expect(titles()).toEqual(['Alpha', 'Gamma']));
    now = { ...COLLECTION, entries: [...COLLECTION.entries] };
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(titles()).toEqual(['Alpha', 'Beta', 'Gamma']));
    expect(server.seen('PUT /api/collections/own/late/samples/beta/place')[0]?.body).toEqual({
      after: 'alpha',
    });
  });

  it('[LIB-748] renames in place; Escape changes nothing', async () => {
    server.on('PATCH /api/collections/own/:id', () => ((now.name = 'Bridge'), { status: 204 }));
    await show();
    const edit = () => userEvent.click(screen.getByRole('button', { name: 'Edit name' }));
    await edit();
    await userEvent.keyboard('Other{Escape}');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Late finds');
    await edit();
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }));
    await userEvent.keyboard('Bridge{Enter}');
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Bridge'));
    expect(server.seen('PATCH /api/collections/own/late').map(({ body }) => body)).toEqual([
      { name: 'Bridge' },
    ]);
  });

  it('[LIB-748] says who added what and what left sale; a collaborator changes only their own', async () => {
    now = {
      ...COLLECTION,
      role: 'collaborator',
      ownerName: 'Ben Ode',
      entries: [entryOf('Alpha', BEN), entryOf('Beta'), entryOf('Gone', null)],
    };
    await show();
    expect(screen.getByText('Added by Ben Ode')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'No longer on sale' })).toBeTruthy();
    expect(screen.getByText('Gone')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Remove from/ })).toHaveLength(1);
    for (const name of [/^Move/, 'Share', 'Edit name', 'Delete'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.getByRole('button', { name: 'Leave' })).toBeTruthy();
  });

  it('[LIB-748] says what to do in an empty one, and what a missing one means', async () => {
    now.entries = [];
    const { unmount } = renderAt('/library/collections/late', PAGES);
    await screen.findByText('Nothing here yet');
    unmount();
    server.on('GET /api/collections/own/:id', refused('NotFound'));
    renderAt('/library/collections/late', PAGES);
    await screen.findByText('Collection not found');
  });
});

describe('sharing', () => {
  it('[LIB-749] [EMB-705] creates and ends the link, and shows the invitation and the collaborator', async () => {
    const url = 'http://localhost/shared/secret';
    server.on('POST /api/collections/own/:id/share', { json: { url } });
    const { rerender } = renderAt('/', <ShareDialog collection={COLLECTION} onClose={() => undefined} />);
    await userEvent.click(screen.getByRole('button', { name: 'Create a link' }));
    await waitFor(() => expect(server.seen('POST /api/collections/own/late/share')).toHaveLength(1));
    rerender(<></>);
    renderAt(
      '/',
      <ShareDialog
        collection={{ ...COLLECTION, shareUrl: url, collaborator: BEN }}
        onClose={() => undefined}
      />,
    );
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Link for listeners' }).value).toBe(url);
    const code = screen.getByRole<HTMLInputElement>('textbox', { name: 'Embed code' }).value;
    expect(code).toContain('src="http://localhost/embed/collection/secret"');
    server.on('DELETE /api/collections/own/:id/share', { status: 204 });
    server.on('DELETE /api/collections/own/:id/collaborator', { status: 204 });
    await userEvent.click(screen.getByRole('button', { name: 'End this link' }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove Ben Ode' }));
    await waitFor(() => expect(server.seen('DELETE /api/collections/own/late/collaborator')).toHaveLength(1));
    expect(server.seen('DELETE /api/collections/own/late/share')).toHaveLength(1);
  });

  it('[LIB-749] a shared collection shows its price, and is copied once signed in', async () => {
    const stop = carryOnAfterSignIn((intent) => void carryOn(intent, navigationAt('/shared/secret')));
    await act(() => signOut());
    server.on('GET /api/collections/shared/:token', {
      json: {
        name: 'Late finds',
        description: 'For the bridge',
        samples: SOUNDS,
        unavailableCount: 2,
        totalCredits: 3,
        missingCredits: 1,
        updatedAt: AT,
      },
    });
    server.on('POST /api/collections/shared/:token/copy', { status: 201, json: { id: 'copy' } });
    renderAt('/shared/secret', PAGES);
    await screen.findByText('3 credits for all');
    expect(screen.getByText('1 credit for what you lack')).toBeTruthy();
    expect(screen.getByText('2 samples of this collection left the catalogue.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Copy to mine' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
    act(() => signedInAs(NOOR));
    await waitFor(() => expect(server.seen('POST /api/collections/shared/secret/copy')).toHaveLength(1));
    stop();
  });

  it('[LIB-749] an ended link says so', async () => {
    server.on('GET /api/collections/shared/:token', refused('TokenInvalid'));
    renderAt('/shared/secret', PAGES);
    await screen.findByText('This link has ended');
  });

  it('[LIB-749] an invitation is accepted', async () => {
    server.on('GET /api/collections/invitations/:token', {
      json: { collectionId: null, name: 'Late finds', ownerName: 'Ben Ode', sampleCount: 2 },
    });
    server.on('POST /api/collections/invitations/:token/accept', { json: { id: 'late' } });
    const { path } = renderAt('/invitation/secret', PAGES);
    await screen.findByText(/Ben Ode invites you to add to this collection of 2 samples/);
    await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
    await waitFor(() => expect(path()).toBe('/library/collections/late'));
  });
});

describe('the tab "Collections" of the library', () => {
  it('[LIB-749] lists collections and creates one', async () => {
    server.on('GET /api/library/saved', { json: { items: [], nextCursor: null, total: 0 } });
    server.on('GET /api/library/downloads', { json: { items: [], nextCursor: null } });
    server.on('GET /api/collections/own', {
      json: {
        items: [
          { ...CARD, isShared: true },
          { ...CARD, id: 'b', name: 'Bens', role: 'collaborator', ownerName: 'Ben Ode' },
        ],
      },
    });
    server.on('POST /api/collections/own', { status: 201, json: COLLECTION });
    const { path } = renderAt('/library?collections', <LibraryPage />);
    await screen.findByText('3 samples, shared');
    expect(screen.getByText('3 samples, by Ben Ode')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'New collection' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Late finds{Enter}');
    await waitFor(() => expect(path()).toBe('/library/collections/late'));
  });
});
