import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnPack } from '../../application/publishing/contract.js';
import { COLUMNS } from '../../web/src/screens/pack-editor/grid/columns.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

const PACK = '/api/creator/packs/pack-1';
const SAMPLES = `PATCH ${PACK}/samples`;
let server: StubServer;
let pack: OwnPack;

interface Row {
  sampleId: string;
  name?: string;
}

beforeEach(() => {
  sessionStorage.clear();
  pack = ownPack();
  server = new StubServer({
    'GET /api/creator': creatorWith(),
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'GET /api/creator/packs': () => ({ json: { items: [pack], nextCursor: null } }),
    'POST /api/auth/sign-out': { status: 204 },
    [SAMPLES]: ({ body }) => {
      const { changes } = body as { changes: Row[] };
      const samples = pack.samples.map((sample) => ({
        ...sample,
        ...changes.find(({ sampleId }) => sampleId === sample.id),
      }));
      pack = { ...pack, version: pack.version + 1, samples };
      return { json: { pack, savedIds: changes.map(({ sampleId }) => sampleId), refused: [] } };
    },
  });
  signedInAs({ ...NOOR, isCreator: true });
});

afterEach(leave);

const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const cell = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`) as HTMLElement;
const text = (row: number, column: number) => cell(row, column).textContent;
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const sent = () => server.seen(SAMPLES).map(({ body }) => (body as { changes: Row[] }).changes);

async function open() {
  renderAt(
    '/creator-pack/second-helping?view=grid',
    <Routes>
      <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
    </Routes>,
  );
  await screen.findByRole('grid');
  return userEvent.setup();
}

const KIND = COLUMNS.findIndex(({ id }) => id === 'kind');

describe('the grid of a pack’s samples', () => {
  it('opens from the toolbar and goes back to the list', async () => {
    renderAt(
      '/creator-pack/second-helping',
      <Routes>
        <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
      </Routes>,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Edit as Grid' }));
    const grid = await screen.findByRole('grid', { name: 'Samples' });
    expect(grid.getAttribute('aria-rowcount')).toBe('4');
    expect(grid.getAttribute('aria-multiselectable')).toBe('true');
    expect(
      within(grid)
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual(['Sample', 'Title', 'Tempo', 'Key', 'Instruments', 'Cost', 'Royalty-free', 'Origin', 'Kind']);
    await press('List');
    expect(screen.queryByRole('grid')).toBeNull();
    expect(document.querySelectorAll('.edit-open')).toHaveLength(3);
  });

  it('types, moves on with Enter and Tab, and saves everything in one request under the version seen', async () => {
    const user = await open();
    await user.click(cell(0, 0));
    await user.keyboard('Kick{Enter}Snare{Tab}120{Enter}');
    expect([text(0, 0), text(1, 0), text(1, 1)]).toEqual(['Kick', 'Snare', '120']);
    expect(document.activeElement).toBe(cell(2, 1));
    await shown('3 cells not saved yet.');
    // The second press comes before the button is busy.
    for (const save of screen.getAllByRole('button', { name: 'Save & Update' }))
      for (let presses = 0; presses < 2; presses += 1) fireEvent.click(save);
    await shown('Changes saved and updated across the site!');
    await shown('Everything is saved.');
    expect(sent()).toEqual([
      [
        { sampleId: 'a', name: 'Kick' },
        { sampleId: 'b', name: 'Snare', bpm: 120 },
      ],
    ]);
    expect(server.seen(SAMPLES)[0]?.headers['if-match']).toBe('"7"');
  });

  it('has one tab stop, which the arrows move; Escape, then Tab, leaves', async () => {
    const user = await open();
    const stops = () => [...document.querySelectorAll('[role=gridcell][tabindex="0"]')];
    expect(stops()).toEqual([cell(0, 0)]);
    cell(0, 0).focus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(stops()).toEqual([cell(1, 1)]);
    expect(document.activeElement).toBe(cell(1, 1));
    await user.keyboard('{Tab}');
    expect(document.activeElement).toBe(cell(1, 2));
    await user.keyboard('{Escape}{Tab}');
    expect(document.activeElement?.closest('[role=grid]')).toBeNull();
  });

  it('selects with Shift, Ctrl and the keyboard, fills down, and undoes', async () => {
    const user = await open();
    await user.click(cell(0, 1));
    await user.keyboard('99{Enter}');
    await user.click(cell(0, 1));
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}d{/Control}');
    expect([0, 1, 2].map((row) => text(row, 1))).toEqual(['99', '99', '99']);
    expect(document.querySelectorAll('[aria-selected=true]')).toHaveLength(3);
    await shown('3 cells filled down.');
    await user.keyboard('{Control>}z{/Control}');
    expect([0, 1, 2].map((row) => text(row, 1))).toEqual(['99', '88', '88']);
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    expect(text(2, 1)).toBe('99');
    await user.click(cell(0, 4));
    await user.keyboard('{Control>}');
    await user.click(cell(2, 4));
    await user.click(cell(1, 3));
    await user.keyboard('{/Control}');
    const isSelected = (each: HTMLElement) => each.getAttribute('aria-selected');
    expect([cell(0, 4), cell(1, 4), cell(2, 4), cell(1, 3)].map(isSelected)).toEqual([
      'true',
      'false',
      'true',
      'true',
    ]);
    await user.click(cell(0, 0));
    await user.keyboard('{Shift>}');
    await user.click(cell(1, 1));
    await user.keyboard('{/Shift}');
    expect(document.querySelectorAll('[aria-selected=true]')).toHaveLength(4);
    await user.pointer([
      { keys: '[MouseLeft>]', target: cell(0, 3) },
      { target: cell(2, 4) },
      { keys: '[/MouseLeft]' },
    ]);
    expect(document.querySelectorAll('[aria-selected=true]')).toHaveLength(6);
  });

  it('fills by drawing the handle', async () => {
    const user = await open();
    await user.click(cell(0, 4));
    await user.keyboard('4{Enter}');
    await user.click(cell(0, 4));
    const handle = cell(0, 4).querySelector('[data-handle]') as Element;
    await user.pointer([{ keys: '[MouseLeft>]', target: handle }, { target: cell(2, 4) }]);
    expect(cell(1, 4).dataset.filling).toBe('');
    await user.pointer({ keys: '[/MouseLeft]' });
    expect([0, 1, 2].map((row) => text(row, 4))).toEqual(['4', '4', '4']);
  });

  it('[WEB-01] fills as far as drawn when the pointer is let go beside the grid, and nothing afterwards', async () => {
    const user = await open();
    await user.click(cell(0, 4));
    await user.keyboard('4{Enter}');
    await user.click(cell(0, 4));
    const handle = cell(0, 4).querySelector('[data-handle]') as Element;
    await user.pointer([
      { keys: '[MouseLeft>]', target: handle },
      { target: cell(1, 4) },
      { keys: '[/MouseLeft]', target: document.body },
    ]);
    expect([0, 1, 2].map((row) => text(row, 4))).toEqual(['4', '4', '1']);
    expect(document.querySelectorAll('[data-filling]')).toHaveLength(0);
    const rowHead = document.querySelector('[data-rowhead="0"] .display') as Element;
    await user.pointer([{ keys: '[MouseLeft]', target: rowHead }]);
    expect([0, 1, 2].map((row) => text(row, 0))).toEqual(['Sound a', 'Sound b', 'Sound c']);
    expect(text(2, 4)).toBe('1');
  });

  it('[WEB-01] fills nothing when the system takes the pointer away', async () => {
    const user = await open();
    await user.click(cell(0, 4));
    await user.keyboard('4{Enter}');
    await user.click(cell(0, 4));
    const handle = cell(0, 4).querySelector('[data-handle]') as Element;
    await user.pointer([{ keys: '[MouseLeft>]', target: handle }, { target: cell(2, 4) }]);
    fireEvent.pointerCancel(window);
    expect(document.querySelectorAll('[data-filling]')).toHaveLength(0);
    await user.pointer({ keys: '[/MouseLeft]' });
    expect([0, 1, 2].map((row) => text(row, 4))).toEqual(['4', '1', '1']);
  });

  it('takes what a spreadsheet copied, and says what did not fit', async () => {
    const user = await open();
    await user.click(cell(1, 0));
    const clipboardData = {
      getData: () => 'Bell\t70\tc#m\nGong\t71\tEb\nMore\t72\tA\n',
      setData: () => undefined,
    };
    fireEvent.paste(cell(1, 0), { clipboardData });
    expect([text(1, 0), text(1, 2), text(2, 0), text(2, 2)]).toEqual([
      'Bell',
      'C# Minor',
      'Gong',
      'Eb Major',
    ]);
    await shown('3 rows pasted. 1 row did not fit.');
    // Only the last of several rectangles is copied.
    await user.keyboard('{Control>}');
    await user.click(cell(2, 0));
    await user.keyboard('{/Control}');
    fireEvent.copy(cell(2, 0), { clipboardData });
    await shown('1 cell copied.');
  });

  it('says while typing what cannot be saved, keeps that row and saves the others', async () => {
    const user = await open();
    await user.click(cell(0, 1));
    await user.keyboard('5000');
    expect(screen.getByRole('textbox', { name: 'Tempo' }).getAttribute('aria-invalid')).toBe('true');
    await shown('Row 1, Tempo: A number up to 400, or nothing');
    await user.keyboard('{Enter}');
    expect(cell(0, 1).getAttribute('aria-invalid')).toBe('true');
    await user.click(cell(1, 0));
    await user.keyboard('Fine{Enter}');
    await press('Save & Update');
    await shown('Not everything was saved');
    await shown('Grid: 1 row still needs correcting.');
    expect(sent()).toEqual([[{ sampleId: 'b', name: 'Fine' }]]);
    await press('1 cell to correct');
    expect(document.activeElement).toBe(cell(0, 1));
    await user.click(screen.getByRole('button', { name: '1 cell to correct' }));
    expect(document.activeElement).toBe(cell(0, 1));
    expect(text(0, 1)).toBe('5000');
  });

  it('marks a row that the server refused and says why', async () => {
    server.on(SAMPLES, () => ({
      json: {
        pack,
        savedIds: [],
        refused: [{ sampleId: 'a', code: 'InvalidRequest', errors: [{ path: 'name', message: 'Too rude' }] }],
      },
    }));
    const user = await open();
    await user.click(cell(0, 0));
    await user.keyboard('Rude{Enter}');
    await press('Save & Update');
    await shown('Not everything was saved');
    expect(cell(0, 0).closest('[role=row]')?.getAttribute('data-refused')).toBe('');
    await user.click(cell(0, 0));
    await shown('Row 1 was not saved. Title: Too rude.');
  });

  it('[EDIT-440] saves cells without a question when other cells changed elsewhere', async () => {
    let calls = 0;
    server.on(SAMPLES, ({ body }) => {
      calls += 1;
      const samples = [ownSample('a', { bpm: 77 }), ownSample('b'), ownSample('c')];
      pack = ownPack({ version: 9, samples });
      if (calls === 1) return { status: 409, json: { code: 'StaleVersion', title: 'Changed' } };
      const [change] = (body as { changes: Row[] }).changes;
      const saved = samples.map((sample) => (sample.id === 'a' ? { ...sample, ...change } : sample));
      pack = ownPack({ version: 10, samples: saved });
      return { json: { pack, savedIds: ['a'], refused: [] } };
    });
    const user = await open();
    await user.click(cell(0, 0));
    await user.keyboard('Mine{Enter}');
    await press('Save & Update');
    await shown('Changes saved and updated across the site!');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.seen(SAMPLES)[1]?.headers['if-match']).toBe('"9"');
    expect([text(0, 0), text(0, 1)]).toEqual(['Mine', '77']);
  });

  it('[API-13] never overwrites silently: what changed elsewhere is marked, and replacing it is asked for', async () => {
    const answer = pack;
    server.on(SAMPLES, () => {
      pack = ownPack({
        version: 9,
        samples: [ownSample('a', { name: 'Theirs' }), ownSample('b'), ownSample('c')],
      });
      return { status: 409, json: { code: 'StaleVersion', title: 'Somebody changed this' } };
    });
    const user = await open();
    await user.click(cell(0, 0));
    await user.keyboard('Mine{Enter}');
    await press('Save & Update');
    const told = await screen.findByRole('alertdialog', { name: 'This pack changed elsewhere' });
    expect(told.textContent).toContain('Your changes are kept here');
    await user.click(within(told).getAllByRole('button')[0] as HTMLElement);
    await shown('1 cell changed elsewhere');
    expect(text(0, 0)).toBe('Mine');
    expect(cell(0, 0).dataset.conflict).toBe('');
    server.on(SAMPLES, { json: { pack: { ...answer, version: 10 }, savedIds: ['a'], refused: [] } });
    await press('Save & Update');
    await screen.findByRole('alertdialog', { name: 'Replace what changed elsewhere?' });
    expect(sent()).toHaveLength(1);
    act(() => settleAlert(true));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(server.seen(SAMPLES)[1]?.headers['if-match']).toBe('"9"');
  });

  it.each([
    ['every request fails', refused('InternalError', { title: 'A secret' })],
    ['there is no connection', 'offline'],
  ] as const)('[EDIT-09] does not report saved cells when %s', async (_, answer) => {
    const user = await open();
    expect(screen.getAllByRole('button', { name: /^Save/ })).toHaveLength(1);
    await user.click(cell(0, 0));
    await user.keyboard('Mine{Enter}');
    if (answer === 'offline')
      jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
    else for (const key of [SAMPLES, 'GET /api/creator/packs/second-helping']) server.on(key, answer);
    await press('Save & Update');
    await shown('Error saving changes. Please try again.');
    await shown('Grid: not saved.');
    expect(document.body.textContent).not.toContain('Changes saved');
    expect(text(0, 0)).toBe('Mine');
    await shown('1 cell not saved yet.');
    jest.restoreAllMocks();
  });

  it('[EDIT-09] saves the cells of a grid that was closed, too', async () => {
    const user = await open();
    await user.click(cell(0, 0));
    await user.keyboard('Kept{Enter}');
    await press('List');
    await press('Save & Update');
    await shown('Changes saved and updated across the site!');
    expect(sent()).toEqual([[{ sampleId: 'a', name: 'Kept' }]]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('keeps unsaved cells over a reload', async () => {
    const user = await open();
    await user.click(cell(2, 0));
    await user.keyboard('Kept{Enter}');
    cleanup();
    await open();
    expect(text(2, 0)).toBe('Kept');
    await shown('1 cell not saved yet.');
  });

  it('halves, doubles and takes what was heard, for all that is selected', async () => {
    const user = await open();
    await user.click(cell(0, 1));
    await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    await press('2× the tempo');
    expect([text(0, 1), text(1, 1), text(2, 1)]).toEqual(['176', '176', '88']);
    await press('As detected');
    expect([text(0, 1), text(1, 2), text(2, 2)]).toEqual(['92', 'Ab Major', 'F Minor']);
    await press('Fill to the end');
    expect([text(2, 1), text(2, 2)]).toEqual(['92', 'Ab Major']);
  });

  it('shows one column beside the titles on a phone, and changes no other', async () => {
    const matchMedia = window.matchMedia;
    window.matchMedia = (query) =>
      ({
        matches: query.includes('768px'),
        media: query,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as never;
    try {
      const user = await open();
      await userEvent.selectOptions(screen.getByLabelText('Column'), 'Cost');
      expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
        'Sample',
        'Title',
        'Cost',
      ]);
      await user.click(cell(0, 0));
      await user.keyboard('{Shift>}{ArrowRight}{/Shift}{Delete}');
      await shown('2 cells not saved yet.');
      expect(text(0, 1)).toBe('');
    } finally {
      window.matchMedia = matchMedia;
    }
  });

  it('draws only some of a thousand rows', async () => {
    pack = ownPack({ samples: Array.from({ length: 1_000 }, (_, index) => ownSample(`s${index}`)) });
    const user = await open();
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('1001');
    expect(screen.getAllByRole('row').length).toBeLessThan(80);
    const look = jest.spyOn(Element.prototype, 'scrollIntoView');
    await user.click(cell(0, 0));
    await user.keyboard('{Control>}{ArrowDown}{/Control}');
    expect(document.activeElement).toBe(cell(999, 0));
    expect(look.mock.contexts.at(-1)).toBe(cell(999, 0));
    look.mockRestore();
  });

  it('[EDIT-750] fills and saves in a sorted, filtered view, numbers rows as in the pack, and keeps an order', async () => {
    const names = ['Kick 10', 'Kick 2', 'Bass'];
    pack = ownPack({
      samples: ['a', 'b', 'c'].map((id, index) => ownSample(id, { name: names[index] as string })),
    });
    server.on('PUT /api/creator/packs/pack-1/order', ({ body }) => {
      const { sampleIds } = body as { sampleIds: string[] };
      const samples = sampleIds.map(
        (id) => pack.samples.find((sample) => sample.id === id) as OwnPack['samples'][0],
      );
      pack = { ...pack, version: pack.version + 1, samples };
      return { json: pack };
    });
    const user = await open();
    await user.selectOptions(screen.getByLabelText('Sort rows'), 'By title');
    expect([text(0, 0), text(1, 0), text(2, 0)]).toEqual(['Bass', 'Kick 2', 'Kick 10']);
    expect(document.querySelector('[data-rowhead="0"]')?.textContent).toContain('3');
    await press('Sorted upwards');
    expect(text(0, 0)).toBe('Kick 10');
    await user.type(screen.getByRole('searchbox', { name: 'Text to find' }), 'kick');
    await shown('2 of 3 rows shown');
    await user.click(cell(0, 1));
    await user.keyboard('70{Enter}');
    await user.click(cell(0, 1));
    await press('Fill to the end');
    await user.clear(screen.getByRole('searchbox'));
    await press('Sorted downwards');
    expect([0, 1, 2].map((row) => text(row, 1))).toEqual(['88', '70', '70']);
    await press('Keep This Order');
    await waitFor(() => expect(pack.samples.map(({ id }) => id)).toEqual(['c', 'b', 'a']));
    await shown('Order of the pack');
    await user.selectOptions(screen.getByLabelText('Filter rows'), 'Without key');
    await shown('No row fits the filter.');
    await user.selectOptions(screen.getByLabelText('Filter rows'), 'Any column has');
    await press('Save & Update');
    await waitFor(() => expect(sent().flat()).toHaveLength(2));
  });

  it('[EDIT-750] shows a wrong cell that the filter hides', async () => {
    const user = await open();
    await user.click(cell(2, 1));
    await user.keyboard('5000{Enter}');
    await user.selectOptions(screen.getByLabelText('Filter rows'), 'Title has');
    await user.type(screen.getByRole('searchbox'), 'Sound a');
    await shown('1 of 3 rows shown');
    await press('1 cell to correct');
    expect(document.activeElement).toBe(cell(2, 1));
  });

  it('[EDIT-751] changes many rows as one step, after a preview', async () => {
    const user = await open();
    await press('Change Many…');
    const dialog = await screen.findByRole('dialog', { name: 'Change many rows' });
    await user.type(within(dialog).getByLabelText('Find'), 'sound');
    await user.type(within(dialog).getByLabelText('Replace with'), 'Loop');
    expect(within(dialog).getByRole('region', { name: 'Preview' }).textContent).toContain('Sound aLoop a');
    await user.click(within(dialog).getByRole('button', { name: 'Change 3 Cells' }));
    expect([0, 1, 2].map((row) => text(row, 0))).toEqual(['Loop a', 'Loop b', 'Loop c']);
    await press('Undo');
    expect([0, 1, 2].map((row) => text(row, 0))).toEqual(['Sound a', 'Sound b', 'Sound c']);
    await user.click(cell(1, 4));
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await press('Change Many…');
    const again = await screen.findByRole('dialog', { name: 'Change many rows' });
    await user.selectOptions(within(again).getByLabelText('What'), 'Set one value');
    await user.selectOptions(within(again).getByLabelText('Column'), 'Cost');
    await user.type(within(again).getByLabelText('Value'), '9');
    expect(again.textContent).toContain('2 new values could not be saved: 1 to 5 credits.');
    await user.type(within(again).getByLabelText('Value'), '{Backspace}3{Enter}');
    expect([0, 1, 2].map((row) => text(row, 4))).toEqual(['1', '3', '3']);
  });

  it('[EDIT-752] shows what was detected in empty cells, and accepts it', async () => {
    pack = ownPack({ samples: ['a', 'b', 'c'].map((id) => ownSample(id, { bpm: 0, key: null })) });
    const user = await open();
    expect(text(0, 1)).toBe('Detected: 92');
    await user.click(cell(0, 2));
    await shown('Row 1, Key: Ab Major. Detected, 70 % sure. Ctrl+Enter accepts it.');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect([text(0, 2), text(1, 2)]).toEqual(['Ab Major', 'Detected: Ab Major']);
    await press('Accept 3');
    expect([0, 1, 2].map((row) => text(row, 1))).toEqual(['92', '92', '92']);
    await shown('3 suggestions accepted.');
    await user.selectOptions(screen.getByLabelText('Suggestions to accept'), 'All detected');
    await press('Accept 2');
    expect(text(2, 2)).toBe('Ab Major');
    await press('Undo');
    await press('Undo');
    expect(text(0, 1)).toBe('Detected: 92');
  });

  it('[ANA-704] says where a value comes from: the name of the file, its tags or its sound', async () => {
    const suggestions = {
      tempo: { bpm: 121, confidence: 0.95, from: 'tags' as const },
      key: { key: 'Ab Major', confidence: 0.7 },
    };
    pack = ownPack({
      samples: [
        ownSample('a', { bpm: 0, key: 'Ab Major', filename: 'Keys.wav', suggestions }),
        ownSample('b', { bpm: 90, key: null, filename: 'Keys_90bpm.wav', suggestions }),
        ownSample('c', { bpm: 77, key: 'C Minor', filename: 'Keys.wav', suggestions }),
      ],
    });
    const user = await open();
    expect([0, 1, 2].map((row) => [cell(row, 1).title, cell(row, 2).title])).toEqual([
      ['From the tags of the file, 95 % sure', 'Detected, 70 % sure'],
      ['From the name of the file', 'Detected, 70 % sure'],
      ['', ''],
    ]);
    expect(text(0, 1)).toBe('From the tags of the file: 121');
    await user.click(cell(0, 1));
    await shown('Row 1, Tempo: 121. From the tags of the file, 95 % sure. Ctrl+Enter accepts it.');
  });

  it('[KIND-705] shows the kind that search uses as a ghost with its reason, accepts it, and takes another', async () => {
    const kind = { kind: 'loop', confidence: 0.95, because: 'markers' } as const;
    pack = ownPack({
      samples: [
        ownSample('a', { suggestions: { tempo: null, key: null, kind } }),
        ownSample('b', {
          name: 'Hiss',
          bpm: 0,
          durationMs: 900,
          suggestions: { tempo: null, key: null },
        }),
        ownSample('c', { kind: 'take' }),
      ],
    });
    const user = await open();
    expect([0, 1, 2].map((row) => [text(row, KIND), cell(row, KIND).title])).toEqual([
      ['From the markers of the file: Loop', 'From the markers of the file, 95 % sure'],
      ['From its title, tempo and length: One-shot', 'From its title, tempo and length'],
      ['Take', ''],
    ]);
    await user.click(screen.getByRole('button', { name: 'Accept 1' }));
    expect([0, 1].map((row) => text(row, KIND))).toEqual([
      'Loop',
      'From its title, tempo and length: One-shot',
    ]);
    await user.click(cell(1, KIND));
    await user.keyboard('long take{Enter}');
    expect(text(1, KIND)).toBe('Take');
    await user.click(cell(2, KIND));
    await user.keyboard('{Delete}');
    expect(text(2, KIND)).toBe('From its title, tempo and length: Loop');
  });
});
