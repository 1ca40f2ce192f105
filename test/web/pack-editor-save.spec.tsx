import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnPack } from '../../application/publishing/contract.js';
import { SaveButton } from '../../web/src/samples/save-button.js';
import { playable } from '../../web/src/screens/pack-editor/own-sample.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { useDownload } from '../../web/src/downloads/use-download.js';
import { signOut } from '../../web/src/session/session.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

const SAVED = '/api/library/saved/a';
const FAILED = refused('InternalError');
const NOBODY = { status: 401, json: { code: 'NotSignedIn', title: 'Sign in' } };
let server: StubServer;
let pack: OwnPack;

beforeEach(() => {
  pack = ownPack({ samples: [ownSample('a')] });
  server = new StubServer({
    'GET /api/creator': creatorWith(),
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'POST /api/auth/sign-out': { status: 204 },
    [`PUT ${SAVED}`]: {},
    [`DELETE ${SAVED}`]: { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
});

afterEach(leave);

const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

async function open() {
  renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
    </Routes>,
  );
  await screen.findByText('Sound a');
}
const press = (name: string) =>
  userEvent.click(screen.getByRole('button', { name: new RegExp(`^${name}(: |$)`) }));
async function confirmRemoval() {
  const question = await screen.findByRole('alertdialog', { name: 'Remove sample?' });
  expect(server.seen(`DELETE ${SAVED}`)).toHaveLength(0);
  await userEvent.click(within(question).getByRole('button', { name: 'Remove' }));
}

describe('the saved toggle of a sample in the editor', () => {
  it('[EDIT-13] marks it and says so', async () => {
    await open();
    await press('Save to library');
    await shown('Sample saved to your library');
    expect(screen.getByRole('button', { name: /^Saved/ }).getAttribute('aria-pressed')).toBe('true');
    expect(server.seen(`PUT ${SAVED}`)[0]?.body).toMatchObject({ type: 'sample', title: 'Sound a' });
  });

  it('[EDIT-13] is marked from the start where the library has it, and asks before removing', async () => {
    pack = ownPack({ samples: [ownSample('a', { saved: true })] });
    await open();
    await press('Saved');
    await confirmRemoval();
    await shown('Removed');
    expect(server.seen(`DELETE ${SAVED}`)).toHaveLength(1);
    expect(screen.getByRole('button', { name: /^Save to library/ })).toBeTruthy();
  });

  it('[EDIT-13] keeps it when the question is answered with no', async () => {
    pack = ownPack({ samples: [ownSample('a', { saved: true })] });
    await open();
    await press('Saved');
    const question = await screen.findByRole('alertdialog', { name: 'Remove sample?' });
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(server.seen(`DELETE ${SAVED}`)).toHaveLength(0);
    expect(screen.getByRole('button', { name: /^Saved/ })).toBeTruthy();
  });

  it('[EDIT-13] says that saving failed and takes the mark back', async () => {
    server.on(`PUT ${SAVED}`, FAILED);
    await open();
    await press('Save to library');
    await shown('Failed to save sample');
    expect(screen.getByRole('button', { name: /^Save to library/ })).toBeTruthy();
  });

  it('[EDIT-13] says that removing failed and keeps the mark', async () => {
    pack = ownPack({ samples: [ownSample('a', { saved: true })] });
    server.on(`DELETE ${SAVED}`, FAILED);
    await open();
    await press('Saved');
    await confirmRemoval();
    await shown('Failed to remove sample');
    expect(screen.getByRole('button', { name: /^Saved/ })).toBeTruthy();
  });
});

describe('whoever is not signed in', () => {
  it('[EDIT-14] is asked to sign in when the session ended unnoticed: saving', async () => {
    server.on(`PUT ${SAVED}`, NOBODY);
    await open();
    await press('Save to library');
    await shown('Sign in required');
    await shown('Please sign in to save samples.');
    expect(screen.getByRole('button', { name: /^Save to library/ })).toBeTruthy();
  });

  it('[EDIT-14] is asked to sign in when the session ended unnoticed: downloading', async () => {
    server.on('POST /api/downloads', NOBODY);
    await open();
    await press('Edit Sound a');
    await userEvent.click(await screen.findByRole('button', { name: 'Download original' }));
    await shown('Sign in required');
    await shown('Please sign in to download.');
  });

  it.each([
    ['editor', 'Please sign in to save samples.'],
    ['pack', 'Please sign in to save tracks.'],
  ] as const)('[EDIT-14] reads what to sign in for: %s', async (place, text) => {
    await signOut();
    renderAt('/', <SaveButton sample={playable(ownSample('a'), pack, NOOR)} place={place} />);
    await press('Save to library');
    await shown(text);
    expect(server.seen(`PUT ${SAVED}`)).toHaveLength(0);
  });

  it('[EDIT-14] cannot download either', async () => {
    await signOut();
    const Try = () => {
      const { download } = useDownload();
      return (
        <button onClick={() => void download(playable(ownSample('a'), pack, NOOR), 'editor')}>Get</button>
      );
    };
    renderAt('/', <Try />);
    await press('Get');
    await shown('Please sign in to download.');
    expect(server.seen('POST /api/downloads')).toHaveLength(0);
  });
});
