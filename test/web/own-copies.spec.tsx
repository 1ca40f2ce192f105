import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import OwnCopies from '../../web/src/creators/own-copies.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { Route, Routes } from 'react-router-dom';
import { pageWith } from './support/page.js';
import { ownPack, ownSample } from './support/packs.js';
import { leave, NOOR, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);
const MINE = {
  id: 'b-1',
  side: 'newcomer',
  status: 'open',
  isHeld: true,
  suspectedAt: '2026-11-22T12:00:00.000Z',
  sample: { id: 'b', title: 'Spare keys 2', packId: 'pack-1', packTitle: 'Second Helping' },
  other: {
    title: 'Spare keys',
    packTitle: 'Kitchen Table Soul',
    packSlug: 'kitchen-table-soul',
    creatorHandle: 'teo',
    creatorName: 'Teo Marchetti',
  },
  said: null as string | null,
  decidedAt: null,
  reason: null,
};
const THEIRS = {
  ...MINE,
  id: 'x-1',
  side: 'original',
  sample: { ...MINE.sample, id: 'a', title: 'Felt keys' },
  other: null,
};

let server: StubServer;
let said: string | null;
beforeEach(() => {
  said = null;
  server = new StubServer({
    'GET /api/creator': creatorWith(),
    'GET /api/creator/copies': () => ({ json: { items: [{ ...MINE, said }, THEIRS] } }),
    'GET /api/creator/packs': { json: { items: [], nextCursor: null } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, displayName: 'Junie Okafor', isCreator: true });
});
afterEach(leave);
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

it('[WEB-68, COPY-50] creators read what of theirs is suspected, or was perhaps copied, and say what they know', async () => {
  server
    .on('POST /api/creator/copies/b-1/licence', () => {
      said = 'Licence 8812';
      return { json: { id: 'b-1', status: 'open' } };
    })
    .on('POST /api/creator/copies/x-1/answer', refused('AlreadyDecided', { state: 'allowed' }));
  renderAt('/dashboard', <OwnCopies />);
  await shown(
    '“Spare keys 2” sounds like a sound that another creator published earlier. It is off sale until',
  );
  await shown('It is like Spare keys by Teo Marchetti.');
  await shown('may be a copy of “Felt keys”. Theirs is off sale until we have listened to both.');
  // A field opens only for the suspicion that the user answers.
  expect(screen.queryByRole('textbox')).toBeNull();
  await press('Say why it is yours about Spare keys 2');
  await press('Send');
  await shown('Say it in a sentence');
  await userEvent.type(screen.getByLabelText('Why it is yours to sell'), 'Licence 8812');
  await press('Send');
  await shown('You said: Licence 8812');
  expect(server.seen('POST /api/creator/copies/b-1/licence')[0]?.body).toEqual({
    kind: 'licence',
    text: 'Licence 8812',
  });
  expect(screen.queryByRole('textbox')).toBeNull();
  await press('Say what you know about Felt keys');
  await userEvent.type(screen.getByLabelText('What you know about it'), 'I never sold it');
  await press('Send');
  await shown('This was decided before');
  expect(screen.getByLabelText('What you know about it')).toHaveProperty('value', 'I never sold it');
});

it('[WEB-68] a recording that another creator published first is claimed where publishing was refused', async () => {
  let status: 'free' | 'held' = 'free';
  server
    .on('GET /api/creator/packs/second-helping', () => ({
      json: ownPack({ samples: [ownSample('a'), ownSample('b', { name: 'Spare keys 2', status })] }),
    }))
    .on(
      'POST /api/creator/packs/pack-1/publish',
      refused('DuplicateAudio', { sampleId: 'b', name: 'Spare keys 2', among: 'catalogue' }),
    )
    .on('POST /api/creator/copies', () => {
      status = 'held';
      return { status: 201, json: { id: 'b-1', status: 'open' } };
    });
  renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
    </Routes>,
  );
  await press('Publish Pack');
  await userEvent.click(await screen.findByLabelText('I made these sounds, or have the rights to sell them'));
  await press('Publish Pack');
  await shown('“Spare keys 2” is the same recording as one that another creator published before.');
  await press('I made it');
  await userEvent.type(screen.getByLabelText('Why it is yours to sell'), 'Recorded in March');
  await press('Send');
  await waitFor(() =>
    expect(server.seen('POST /api/creator/copies')[0]?.body).toEqual({
      sampleId: 'b',
      kind: 'own work',
      text: 'Recorded in March',
    }),
  );
  await screen.findByText('Held');
  await shown('Waits for a decision');
});
