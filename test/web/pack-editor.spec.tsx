import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnPack } from '../../application/publishing/contract.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { reorder } from '../../web/src/screens/pack-editor/pack-actions.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

const PACK = '/api/creator/packs/pack-1';
let server: StubServer;
let pack: OwnPack;

beforeEach(() => {
  pack = ownPack();
  server = new StubServer({
    'GET /api/creator': creatorWith(),
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'GET /api/creator/packs': () => ({ json: { items: [pack], nextCursor: null } }),
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/storage/cleanup-images': { json: {} },
  });
  signedInAs({ ...NOOR, displayName: 'Junie Okafor', isCreator: true });
});

afterEach(leave);

function open() {
  return renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
      <Route path="/dashboard" element={<p>The dashboard</p>} />
    </Routes>,
  );
}
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const confirm = async (title: string, button: string) => {
  const question = await screen.findByRole('alertdialog', { name: title });
  await userEvent.click(within(question).getByRole('button', { name: button }));
};
const titles = () => [...document.querySelectorAll('.edit-open')].map((title) => title.textContent);

describe('the editor’s head', () => {
  it('[EDIT-01] [EDIT-02] [EDIT-03] shows the pack, its figures and what can be done', async () => {
    open();
    await screen.findByText('Sound a');
    expect(screen.getByRole('heading', { name: 'Second Helping' })).toBeTruthy();
    await shown('Junie Okafor · Soul · Nostalgic');
    await shown('More of the kitchen.');
    for (const [label, value] of [
      ['Total Samples', '3'],
      ['Downloads', '0'],
      ['Status', 'Unpublished'],
      ['Created', '3 Nov 2025'],
    ]) {
      expect(screen.getByText(label as string, { selector: 'dt' }).parentElement?.textContent).toBe(
        `${label}${value}`,
      );
    }
    for (const name of [
      'Add Sample',
      'Edit Pack Info',
      'Apply to All',
      'Save & Update',
      'Publish Pack',
      'Delete pack',
    ]) {
      expect(screen.getByRole('button', { name })).toBeTruthy();
    }
    expect(screen.getByRole('link', { name: /Creator Dashboard/ }).getAttribute('href')).toBe('/dashboard');
  });

  it('[EDIT-03] a pack taken down says why, and offers nothing that would be refused', async () => {
    pack = ownPack({ status: 'taken_down', takedownReason: 'A claim of another label' });
    open();
    await shown('Taken down: A claim of another label');
    expect(screen.getByText('Status').parentElement?.textContent).toBe('StatusUnpublished');
    expect(screen.getByText('Taken down')).toBeTruthy();
    for (const name of ['Publish Pack', 'Save & Update'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.getByRole('button', { name: 'Add Sample' })).toHaveProperty('disabled', true);
    expect(document.body.textContent).not.toContain('choose files');
  });

  it('[EDIT-753] renders the rows of a long pack near the window only, and keeps the row with the focus', async () => {
    const samples = Array.from({ length: 203 }, (_, n) => ownSample(`s${n}`, { ordinal: n + 1 }));
    pack = ownPack({ samples });
    open();
    const list = await screen.findByRole('list', { name: 'Samples' });
    const rows = () => within(list).getAllByRole('listitem');
    expect(rows().length).toBeLessThan(50);
    expect(rows()[1]?.getAttribute('aria-posinset')).toBe('2');
    expect(rows()[1]?.getAttribute('aria-setsize')).toBe('203');
    act(() => within(list).getByRole('button', { name: 'Edit Sound s1' }).focus());
    const box = list.querySelector<HTMLElement>('.virtual-rows') as HTMLElement;
    box.getBoundingClientRect = () => ({ top: -5_000, height: 203 * 48 }) as DOMRect;
    fireEvent.scroll(window);
    expect(within(list).getByRole('button', { name: 'Edit Sound s110' })).toBeTruthy();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit Sound s1');
    expect(rows().length).toBeLessThan(50);
  });

  it('[EDIT-05] refuses a pack without a name', async () => {
    open();
    await screen.findByText('Sound a');
    await press('Edit Pack Info');
    await userEvent.clear(await screen.findByLabelText('Name *'));
    await press('Save');
    await shown('Pack name is required');
    expect(server.seen(`PATCH ${PACK}`)).toHaveLength(0);
  });

  it('[API-13] [EDIT-440] a change of the same field elsewhere is not overwritten, but shown; the text typed here stays', async () => {
    server.on(`PATCH ${PACK}`, () => {
      pack = ownPack({ version: 8, description: 'Changed by somebody else.' });
      return { status: 409, json: { code: 'StaleVersion', title: 'This was changed in the meantime' } };
    });
    open();
    await screen.findByText('Sound a');
    await press('Edit Pack Info');
    await userEvent.type(await screen.findByLabelText('Description'), ' Mine.');
    await press('Save');
    await screen.findByRole('alertdialog', { name: 'This pack changed elsewhere' });
    await shown('Changed by somebody else.');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe(
      'More of the kitchen. Mine.',
    );
    expect(server.seen(`PATCH ${PACK}`)[0]?.headers['if-match']).toBe('"7"');
  });

  it('[EDIT-440] a change of another field elsewhere is merged without a question', async () => {
    server.on(`PATCH ${PACK}`, ({ body }) => {
      const isFirst = pack.version === 7;
      pack = ownPack({ version: isFirst ? 8 : 9, mood: 'Dark', ...(isFirst ? {} : (body as object)) });
      return isFirst ? { status: 409, json: { code: 'StaleVersion', title: 'Changed' } } : { json: pack };
    });
    open();
    await screen.findByText('Sound a');
    await press('Edit Pack Info');
    await userEvent.type(await screen.findByLabelText('Description'), ' Mine.');
    await press('Save');
    await shown('More of the kitchen. Mine.');
    await shown('Dark');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.seen(`PATCH ${PACK}`).map(({ body }) => body)).toEqual(
      [1, 2].map(() => ({ description: 'More of the kitchen. Mine.' })),
    );
  });

  it.each([
    ['image/svg+xml', 'cover.svg', 10, 'Please upload only .jpg, .png, or .webp image files'],
    ['image/png', 'cover.png', 5 * 1024 * 1024 + 1, 'Image file size must be less than 5MB'],
  ])('[EDIT-06] [EDIT-07] refuses a cover of type %s', async (type, name, bytes, message) => {
    open();
    await screen.findByText('Sound a');
    const file = new File([new Uint8Array(bytes)], name, { type });
    fireEvent.change(screen.getByLabelText('Cover image'), { target: { files: [file] } });
    await shown(message);
    expect(server.seen(`PUT ${PACK}/cover`)).toHaveLength(0);
  });

  it('[EDIT-07] [EDIT-15] takes a cover of exactly 5MB and has unused images removed; a failure there only warns', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.on(`PUT ${PACK}/cover`, { json: ownPack({ artworkUrl: '/media/covers/new.webp', version: 8 }) });
    server.on('POST /api/storage/cleanup-images', refused('InternalError'));
    open();
    await screen.findByText('Sound a');
    const file = new File([new Uint8Array(5 * 1024 * 1024)], 'cover.png', { type: 'image/png' });
    await userEvent.upload(screen.getByLabelText('Cover image'), file);
    await shown('Cover changed');
    await waitFor(() => expect(server.seen('POST /api/storage/cleanup-images')).toHaveLength(1));
    await waitFor(() => expect(warn).toHaveBeenCalledWith('Unused images were not removed.'));
    expect(document.body.textContent).not.toContain('Error');
    warn.mockRestore();
  });
});

describe('prices and saving', () => {
  it('[EDIT-08] offers 1 to 5, asks, and sets every sample', async () => {
    server.on(`POST ${PACK}/default-cost`, () => {
      pack = ownPack({
        version: 8,
        defaultCreditCost: 3,
        samples: ['a', 'b'].map((id) => ownSample(id, { creditCost: 3 })),
      });
      return { json: pack };
    });
    open();
    const cost = await screen.findByLabelText<HTMLSelectElement>('Default Cost');
    expect(cost.value).toBe('1');
    expect([...cost.options].map(({ value }) => value)).toEqual(['1', '2', '3', '4', '5']);
    await userEvent.selectOptions(cost, '3');
    await press('Apply to All');
    await shown('Set all 3 samples to 3 credit(s)?');
    expect(server.seen(`POST ${PACK}/default-cost`)).toHaveLength(0);
    await confirm('Apply to All', 'Apply to All');
    await waitFor(() => expect(server.seen(`POST ${PACK}/default-cost`)).toHaveLength(1));
    expect(server.seen(`POST ${PACK}/default-cost`)[0]?.body).toEqual({ creditCost: 3, applyToAll: true });
  });

  it('[EDIT-08] says that there is nothing to set', async () => {
    pack = ownPack({ samples: [] });
    open();
    await screen.findByText('No samples yet');
    await press('Apply to All');
    await shown('No samples to update');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('[EDIT-09] saves the default cost and says so', async () => {
    server.on(`POST ${PACK}/default-cost`, () => {
      pack = ownPack({ version: 8, defaultCreditCost: 2 });
      return { json: pack };
    });
    open();
    await userEvent.selectOptions(await screen.findByLabelText('Default Cost'), '2');
    await press('Save & Update');
    await shown('Changes saved and updated across the site!');
    expect(server.seen(`POST ${PACK}/default-cost`)[0]?.body).toEqual({ creditCost: 2, applyToAll: false });
  });

  it('[EDIT-09] does not say that all is saved when the server cannot tell how the pack stands', async () => {
    open();
    await screen.findByLabelText('Default Cost');
    server.on('GET /api/creator/packs/second-helping', refused('InternalError', { title: 'A secret' }));
    await press('Save & Update');
    await shown('Error saving changes. Please try again.');
    expect(document.body.textContent).not.toContain('Changes saved');
  });

  it('[EDIT-09] says that saving failed', async () => {
    server.on(`POST ${PACK}/default-cost`, refused('InternalError', { title: 'A secret' }));
    open();
    await userEvent.selectOptions(await screen.findByLabelText('Default Cost'), '2');
    await press('Save & Update');
    await shown('Error saving changes. Please try again.');
    expect(document.body.textContent).not.toContain('A secret');
  });
});

describe('the order', () => {
  it('[EDIT-04] shows a new order at once and saves it with the version', async () => {
    server.on(`PUT ${PACK}/order`, async () => {
      expect(titles()).toEqual(['Sound c', 'Sound a', 'Sound b']);
      pack = ownPack({ version: 8, samples: ['c', 'a', 'b'].map((id) => ownSample(id)) });
      return { json: pack };
    });
    open();
    await screen.findByText('Sound a');
    await act(() => reorder(pack, ['c', 'a', 'b']));
    expect(titles()).toEqual(['Sound c', 'Sound a', 'Sound b']);
    const [request] = server.seen(`PUT ${PACK}/order`);
    expect(request?.body).toEqual({ sampleIds: ['c', 'a', 'b'] });
    expect(request?.headers['if-match']).toBe('"7"');
  });

  it('[EDIT-04] takes an order back that was refused', async () => {
    server.on(`PUT ${PACK}/order`, refused('InternalError'));
    open();
    await screen.findByText('Sound a');
    await act(() => reorder(pack, ['c', 'a', 'b']));
    await shown('The order was not saved');
    expect(titles()).toEqual(['Sound a', 'Sound b', 'Sound c']);
  });
});

describe('publishing', () => {
  const asked = () => screen.findByRole('dialog', { name: 'Ready to publish?' });
  async function confirmPublishing(): Promise<void> {
    await press('Publish Pack');
    const dialog = within(await asked());
    await userEvent.click(dialog.getByLabelText('I made these sounds, or have the rights to sell them'));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish Pack' }));
  }

  it('[PUB-750] first says what is missing or suspicious, and asks for rights and origin', async () => {
    const sampleOf = (id: string, changes: object) => ownSample(id, { name: `Sound ${id}`, ...changes });
    const waveform = pack.samples[0]?.waveform.map(() => 0) ?? [];
    pack = ownPack({
      priceCredits: 2,
      samples: [
        sampleOf('a', { instruments: [], sha256: 'one', origin: null }),
        sampleOf('b', {
          bpm: 0,
          sha256: 'one',
          suggestions: { tempo: { bpm: 90, confidence: 0.9 }, key: null },
        }),
        sampleOf('c', {
          waveform,
          sha256: 'two',
          origin: null,
          suggestions: { tempo: null, key: null, flaws: ['clipping', 'offset'] },
        }),
      ],
    });
    server.on(`PATCH ${PACK}/samples`, () => {
      pack = { ...pack, samples: pack.samples.map((sample) => ({ ...sample, origin: 'synthesised' })) };
      return { json: { pack, savedIds: ['a', 'c'], refused: [] } };
    });
    server.on(`POST ${PACK}/publish`, () => ({ json: pack }));
    open();
    await screen.findByText('Sound a');
    await press('Publish Pack');
    const dialog = within(await asked());
    expect(dialog.getByText(/^3 samples by .*, 2 credits for all of them\./)).toBeTruthy();
    for (const text of [
      '1 sample without instruments: Sound a',
      '1 sample that sound like loops, without a tempo: Sound b',
      '1 sample without a sound: Sound c',
      '1 sample with clipping: Sound c',
      '1 sample with a DC offset: Sound c',
      '2 samples with the same recording as another: Sound a, Sound b',
    ])
      expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain(text);
    await userEvent.click(dialog.getByRole('button', { name: 'Publish Pack' }));
    expect(dialog.getByText('Confirm that you may sell these sounds.')).toBeTruthy();
    expect(server.seen(`POST ${PACK}/publish`)).toEqual([]);
    await userEvent.click(dialog.getByLabelText('I made these sounds, or have the rights to sell them'));
    await userEvent.selectOptions(
      dialog.getByLabelText('How 2 samples without a stated origin were made'),
      'Synthesised',
    );
    await userEvent.click(dialog.getByRole('button', { name: 'Publish Pack' }));
    await shown('Pack published successfully!');
    expect(server.seen(`PATCH ${PACK}/samples`)[0]?.body).toEqual({
      changes: [
        { sampleId: 'a', origin: 'synthesised' },
        { sampleId: 'c', origin: 'synthesised' },
      ],
    });
    expect(server.seen(`POST ${PACK}/publish`)).toHaveLength(1);
  });

  it('[PUB-760] names an unconfirmed address, and mails its link again', async () => {
    server.on('GET /api/creator', creatorWith({ hasConfirmedEmail: false }));
    server.on('PATCH /api/me', { json: { user: { ...NOOR, isCreator: true }, emailToConfirm: NOOR.email } });
    open();
    await screen.findByText('Sound a');
    await press('Publish Pack');
    const dialog = within(await asked());
    const again = await dialog.findByRole('button', { name: 'Send the link again' });
    expect(dialog.getByText(new RegExp(`your e-mail address ${NOOR.email}`))).toBeTruthy();
    fireEvent.click(again);
    fireEvent.click(again);
    await dialog.findByText('We sent a link. Follow it, then return to this page.');
    await userEvent.click(dialog.getByLabelText('I made these sounds, or have the rights to sell them'));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish Pack' }));
    await shown('Confirm your e-mail address before you publish');
    expect(server.seen(`POST ${PACK}/publish`)).toEqual([]);
    await asked();
    expect(server.seen('PATCH /api/me').map(({ body }) => body)).toEqual([{ email: NOOR.email }]);
  });

  it('[PUB-771] names a drawn cover, and takes another in its place', async () => {
    pack = ownPack({ hasOwnCover: false });
    const own = ownPack({ artworkUrl: '/media/covers/own.webp', hasOwnCover: true, version: 8 });
    server.on(`PUT ${PACK}/cover`, { json: own });
    server.on('POST /api/storage/cleanup-images', { json: { success: true, removed: 1 } });
    open();
    await screen.findByText('Sound a');
    await press('Publish Pack');
    const dialog = within(await asked());
    dialog.getByText('A cover of your own. We drew this one.');
    dialog.getByRole('button', { name: 'Choose your own' });
    const file = new File(['x'], 'cover.png', { type: 'image/png' });
    await userEvent.upload(dialog.getByLabelText('Cover image'), file);
    await waitFor(() => expect(dialog.queryByText(/We drew this one/)).toBeNull());
    expect(server.seen(`PUT ${PACK}/cover`)).toHaveLength(1);
  });

  it('[PUB-761] sends a second press before the answer nowhere', async () => {
    signedInAs({ ...NOOR, isCreator: true, displayName: 'Listener 8572' });
    server.on('PATCH /api/me', { json: { user: { ...NOOR, isCreator: true } } });
    server.on(`POST ${PACK}/publish`, () => ({ json: pack }));
    open();
    await screen.findByText('Sound a');
    await press('Publish Pack');
    const dialog = within(await asked());
    await userEvent.click(dialog.getByLabelText('I made these sounds, or have the rights to sell them'));
    await userEvent.type(dialog.getByLabelText('Your name, as listeners see it'), 'Junie Okafor');
    const button = dialog.getByRole('button', { name: 'Publish Pack' });
    fireEvent.click(button);
    fireEvent.click(button);
    await shown('Pack published successfully!');
    expect(server.seen('PATCH /api/me')).toHaveLength(1);
    expect(server.seen(`POST ${PACK}/publish`)).toHaveLength(1);
  });

  it('[PUB-01] refuses a pack without samples before asking the server', async () => {
    pack = ownPack({ samples: [] });
    open();
    await screen.findByText('No samples yet');
    await press('Publish Pack');
    await shown('Please add at least one sample before publishing');
    expect(server.seen(`POST ${PACK}/publish`)).toHaveLength(0);
  });

  it('[PUB-750] asks for a name before the first publication of an account without one', async () => {
    signedInAs({ ...NOOR, isCreator: true, displayName: 'Listener 8572' });
    server.on('PATCH /api/me', ({ body }) => ({
      json: { user: { ...NOOR, isCreator: true, ...(body as { displayName: string }) } },
    }));
    server.on(`POST ${PACK}/publish`, () => ({ json: pack }));
    open();
    await screen.findByText('Sound a');
    await confirmPublishing();
    const dialog = within(await asked());
    expect(dialog.getByText('Choose a name')).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText('Your name, as listeners see it'));
    expect(server.seen('PATCH /api/me')).toEqual([]);
    await userEvent.type(dialog.getByLabelText('Your name, as listeners see it'), ' Junie Okafor ');
    await userEvent.click(dialog.getByRole('button', { name: 'Publish Pack' }));
    await shown('Pack published successfully!');
    expect(server.seen('PATCH /api/me')[0]?.body).toEqual({ displayName: 'Junie Okafor' });
    expect(server.seen(`POST ${PACK}/publish`)).toHaveLength(1);
  });

  it('[PUB-02] [PUB-04] publishes; the button gives way to the badge', async () => {
    server.on(`POST ${PACK}/publish`, () => {
      pack = ownPack({ status: 'published', version: 8, publishedAt: '2026-11-20T10:00:00Z' });
      return { json: pack };
    });
    open();
    await screen.findByText('Sound a');
    await confirmPublishing();
    await shown("Pack published successfully! It's now visible across the site.");
    expect(screen.queryByRole('button', { name: 'Publish Pack' })).toBeNull();
    expect(document.querySelector('.badge')?.textContent).toBe('Published');
    expect(screen.getByRole('button', { name: 'Unpublish' })).toBeTruthy();
  });

  it('[PUB-03] says that it failed, and the pack stays as it was', async () => {
    server.on(`POST ${PACK}/publish`, refused('InternalError'));
    open();
    await screen.findByText('Sound a');
    await confirmPublishing();
    await shown('Error publishing pack. Please try again.');
    expect(screen.getByRole('button', { name: 'Publish Pack' })).toBeTruthy();
  });
});

describe('deleting', () => {
  it('[EDIT-10] asks, deletes and goes back to the dashboard', async () => {
    server.on(`DELETE ${PACK}`, { status: 204 });
    const { path } = open();
    await screen.findByText('Sound a');
    await press('Delete pack');
    await screen.findByRole('alertdialog', { name: 'Delete pack?' });
    expect(server.seen(`DELETE ${PACK}`)).toHaveLength(0);
    await confirm('Delete pack?', 'Delete pack');
    await shown('Pack deleted successfully');
    expect(path()).toBe('/dashboard');
  });

  it('[EDIT-10] says that it failed', async () => {
    server.on(`DELETE ${PACK}`, refused('InternalError'));
    open();
    await screen.findByText('Sound a');
    await press('Delete pack');
    await confirm('Delete pack?', 'Delete pack');
    await shown('Error: Failed to delete pack. Please try again.');
    expect(screen.getByText('Sound a')).toBeTruthy();
  });

  it.each([
    [204, false, 'Sample deleted'],
    [200, true, 'Storage cleanup failed - File removed from pack but may still exist in storage'],
    [500, true, 'Error deleting sample - Sample removed from pack but cleanup may have failed'],
  ])('[EDIT-12] a sample: answer %i', async (status, gone, message) => {
    server.on(`DELETE ${PACK}/samples/b`, () => {
      if (status === 204 || gone)
        pack = ownPack({ version: 8, samples: ['a', 'c'].map((id) => ownSample(id)) });
      return status === 500 ? refused('InternalError') : { status, json: { cleanedUp: false } };
    });
    open();
    await screen.findByText('Sound b');
    await press('Edit Sound b');

    await userEvent.click(await screen.findByRole('button', { name: 'Delete sample' }));
    await confirm('Delete sample?', 'Delete sample');
    await shown(message);
    expect(titles()).toEqual(['Sound a', 'Sound c']);
  });
});
