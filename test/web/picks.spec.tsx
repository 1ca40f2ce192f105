import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import type { Sample } from '../../application/catalogue/contract.js';
import { forgetPicks, pick, pickOf, pickedNow, restorePicks } from '../../web/src/picks/picks.js';
import { listenToKeys } from '../../web/src/player/keyboard.js';
import { player } from '../../web/src/player/player.js';
import { newProject, openProject } from '../../web/src/project/project.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import { carryOnAfterSignIn } from '../../web/src/session/after-sign-in.js';
import { signOut } from '../../web/src/session/session.js';
import { carryOn } from '../../web/src/shell/carry-on.js';
import { DownloadHost } from '../../web/src/shell/layout.js';
import { NOOR, leave, navigationAt, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused, takeFiles } from './support/server.js';

const ARCHIVE = {
  id: 't1',
  url: '/api/library/archives/t1.zip',
  filename: 'Offcut, 3 samples.zip',
  sampleCount: 3,
  leftOut: [],
  expiresAt: '2099-01-01T00:00:00Z',
};
const GRANT = { url: '/files/a.wav', filename: 'a.wav', expiresAt: '2099-01-01T00:00:00Z' };

const samples = ['a', 'b', 'c', 'd', 'e'].map((id, at) =>
  sampleNamed(id, { title: `Sound ${id}`, creditCost: at + 1, hasMidi: false }),
);

let server: StubServer;
let pressed: string[];

beforeEach(() => {
  server = new StubServer({
    'GET /api/credits': { json: { balance: 20, lots: [] } },
    'GET /api/subscription': {
      json: {
        plan: null,
        status: 'none',
        currentPeriodEnd: null,
        scheduledChange: null,
        pendingChange: null,
      },
    },
    'GET /media/previews/:file': {},
    'POST /api/library/history': {},
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/library/archives': { status: 201, json: ARCHIVE },
    'GET /api/library/archives/t1': { json: { status: 'sent' } },
  });
  takeFiles();
  signedInAs(NOOR);
  pressed = [];
  HTMLAnchorElement.prototype.click = function press(this: HTMLAnchorElement) {
    pressed.push(this.download);
  };
});
afterEach(async () => {
  player.close();
  act(forgetPicks);
  await leave();
});

function show(list: readonly Sample[] = samples): UserEvent {
  renderAt(
    '/search',
    <Suspense>
      <SampleList samples={list} place="list" label="Tracks" headings />
      <DownloadHost />
    </Suspense>,
  );
  return userEvent.setup();
}
const box = (id: string) => screen.getByRole('checkbox', { name: `Select Sound ${id}` });
const row = (id: string) => document.querySelector(`[data-sample=${id}]`) as HTMLElement;
const picked = () => [...pickedNow().keys()];
const bar = () => within(screen.getByRole('region', { name: 'Selection' }));
const dialog = () => screen.findByRole('alertdialog', { name: 'Confirm Download' });
const confirm = async (visitor: UserEvent) =>
  visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
const orders = () => server.seen('POST /api/samples/downloads');
const sell = (charged: number, balance: number, ids: readonly string[]) =>
  server.on('POST /api/samples/downloads', {
    status: charged > 0 ? 201 : 200,
    json: {
      charged,
      balance,
      items: ids.map((sampleId) => ({
        sampleId,
        charged: 1,
        certificateId: `c-${sampleId}`,
        download: GRANT,
      })),
    },
  });

it('[WORK-775] "Download as" brings the picks as a project in the tempo and key of the open project', async () => {
  const visitor = show();
  const format = () => bar().getByRole('combobox', { name: 'Download as' });
  const order = () => server.seen('POST /api/library/archives').at(-1)?.body;
  act(() => pick(samples.slice(0, 2).map(pickOf), true));
  await visitor.selectOptions(format(), 'REAPER');
  expect(bar().getByRole('status').textContent).toBe('2 picked3 credits');
  sell(3, 17, ['a', 'b']);
  await visitor.click(bar().getByRole('button', { name: /^Download/ }));
  await confirm(visitor);
  await waitFor(() => expect(order()).toEqual({ sampleIds: ['a', 'b'], project: { format: 'rpp' } }));

  act(() => openProject(newProject({ tempo: 90, key: 'C Minor', timeSignature: '6/8' })));
  act(() => pick([pickOf(samples[2] as Sample)], true));
  await visitor.selectOptions(format(), 'DAWproject');
  server.on('POST /api/downloads', {
    status: 201,
    json: { charged: 3, balance: 14, certificateId: 'c', download: GRANT },
  });
  await visitor.click(bar().getByRole('button', { name: /^Download/ }));
  await confirm(visitor);
  const project = { format: 'dawproject', tempo: 90, key: 'C Minor', timeSignature: '6/8' };
  await waitFor(() => expect(order()).toMatchObject({ sampleIds: ['c'], project }));

  act(() => pick([pickOf(samples[3] as Sample)], true));
  await visitor.selectOptions(format(), 'Files');
  act(() => openProject(null));
});

describe('picking rows', () => {
  it('[DL-721] takes a checkbox, a range with Shift, a press with Ctrl or Cmd, and all that is shown', async () => {
    const visitor = show();
    await visitor.click(box('b'));
    await visitor.keyboard('{Shift>}');
    await visitor.click(box('d'));
    await visitor.keyboard('{/Shift}');
    expect(picked()).toEqual(['b', 'c', 'd']);
    await visitor.keyboard('{Control>}');
    await visitor.click(within(row('a')).getByText('0:21'));
    await visitor.click(within(row('c')).getByText('0:21'));
    await visitor.keyboard('{/Control}');
    expect(picked()).toEqual(['b', 'd', 'a']);
    await visitor.click(within(row('e')).getByText('0:21'));
    expect(picked()).toEqual(['b', 'd', 'a']);
    const all = screen.getByRole('checkbox', { name: 'Select all 5 shown' });
    expect((all as HTMLInputElement).indeterminate).toBe(true);
    await visitor.click(all);
    expect(picked()).toHaveLength(5);
    await visitor.click(all);
    expect(picked()).toEqual([]);
  });

  it('[DL-721] takes P for the row in focus, and Shift with an arrow for a run of rows', async () => {
    const visitor = show();
    act(() => row('b').focus());
    await visitor.keyboard('p');
    expect(picked()).toEqual(['b']);
    for (const next of ['c', 'd']) {
      await visitor.keyboard('{Shift>}{ArrowDown}{/Shift}');
      await waitFor(() => expect(document.activeElement).toBe(row(next)));
    }
    expect(picked()).toEqual(['b', 'c', 'd']);
    await visitor.keyboard('p');
    expect(picked()).toEqual(['b', 'c']);
  });

  it('[DL-721] offers no checkbox for a sound without a file', () => {
    show([sampleNamed('a', { title: 'Sound a', previewUrl: null })]);
    expect((box('a') as HTMLInputElement).disabled).toBe(true);
  });

  it('[DL-721] outlasts other lists and a reload, can be undone, and ends with the session', async () => {
    const visitor = show();
    await visitor.click(box('a'));
    const kept = sessionStorage.getItem('picks') as string;
    await visitor.click(bar().getByRole('button', { name: 'Clear the selection' }));
    expect([picked(), sessionStorage.getItem('picks')]).toEqual([[], null]);
    await visitor.click(screen.getByRole('button', { name: 'Undo' }));
    expect(picked()).toEqual(['a']);
    act(forgetPicks);
    sessionStorage.setItem('picks', kept);
    act(restorePicks);
    expect(bar().getByText('1 picked')).toBeTruthy();
    await act(() => signOut());
    expect([picked(), sessionStorage.getItem('picks')]).toEqual([[], null]);
  });

  it('[DL-721] takes at most a thousand', () => {
    show();
    const many = Array.from({ length: 1_001 }, (_, at) => pickOf(sampleNamed(`n${at}`)));
    act(() => pick(many, true));
    expect(picked()).toEqual([]);
    expect(screen.getByText('At most 1,000 samples fit into one download.')).toBeTruthy();
  });
});

describe('downloading what is picked', () => {
  const pickAll = (list = samples.slice(0, 3)) => act(() => pick(list.map(pickOf), true));

  it('[DL-722] names number, price and what is owned, asks once, buys with one command, and brings one ZIP', async () => {
    const owned = sampleNamed('b', { title: 'Sound b', creditCost: 2, owned: true, hasStems: true });
    const visitor = show();
    await pickAll([samples[0] as Sample, owned, samples[2] as Sample]);
    expect(bar().getByText('3 picked')).toBeTruthy();
    expect(bar().getByText('4 credits, 1 owned, one ZIP')).toBeTruthy();
    sell(4, 16, ['a', 'b', 'c']);
    await visitor.dblClick(bar().getByRole('button', { name: /^Download/ }));
    const asked = await dialog();
    for (const text of [
      '3 samples',
      'by Wren Abbott',
      'Sound b is yours already and costs nothing.',
      'Comes with 1 MIDI file, in one ZIP.',
      'The stems of 1 sample need an active Studio plan',
      '4 Credits',
      '16 after this',
    ])
      expect(asked.textContent).toContain(text);
    expect(orders()).toHaveLength(0);
    await visitor.dblClick(within(asked).getByRole('button', { name: 'Download' }));
    expect(await screen.findByText('4 credits spent, 16 left.')).toBeTruthy();
    expect(orders().map(({ body }) => body)).toEqual([{ sampleIds: ['a', 'b', 'c'], expectedCredits: 4 }]);
    expect(server.seen('POST /api/library/archives')[0]?.body).toEqual({ sampleIds: ['a', 'b', 'c'] });
    expect(pressed).toEqual([ARCHIVE.filename]);
    expect(picked()).toEqual([]);
  });

  it('[DL-722] takes Shift D, and buys one picked sample like any other', async () => {
    const visitor = show();
    await pickAll([samples[0] as Sample]);
    server.on('POST /api/downloads', {
      status: 201,
      json: { charged: 1, balance: 19, download: GRANT, certificateId: 'c1' },
    });
    server.on('GET /files/a.wav', {});
    URL.createObjectURL = () => 'blob:a';
    URL.revokeObjectURL = () => undefined;
    expect(bar().getByRole('status').textContent).toBe('1 picked1 credit');
    const stop = listenToKeys(
      () => undefined,
      () => undefined,
    );
    await visitor.keyboard('{Shift>}D{/Shift}');
    stop();
    expect((await dialog()).textContent).toContain('Sound a');
    await confirm(visitor);
    await waitFor(() => expect(picked()).toEqual([]));
    expect(server.seen('POST /api/downloads')[0]?.body).toEqual({ sampleId: 'a', expectedCredits: 1 });
  });

  it('[DL-722] costs nothing and asks nothing if all of it is owned', async () => {
    const visitor = show();
    await pickAll(samples.slice(0, 2).map((sample) => ({ ...sample, owned: true })));
    expect(bar().getByText('nothing to pay, one ZIP')).toBeTruthy();
    await visitor.click(bar().getByRole('button', { name: 'Download again as ZIP' }));
    await waitFor(() => expect(pressed).toEqual([ARCHIVE.filename]));
    expect([orders().length, screen.queryByRole('alertdialog')]).toEqual([0, null]);
  });

  it('[DL-723] names what left the shop, charges nothing, and goes on without it', async () => {
    const visitor = show();
    await pickAll();
    server.on('POST /api/samples/downloads', refused('SampleNotAvailable', { sampleIds: ['b'] }));
    await visitor.click(bar().getByRole('button', { name: /^Download/ }));
    await confirm(visitor);
    const alert = await screen.findByRole('alertdialog', { name: 'Not all of it can be downloaded' });
    expect(alert.textContent).toContain('Sound b is not on sale any more. Nothing was charged.');
    expect([picked(), pressed]).toEqual([['a', 'c'], []]);
    sell(4, 16, ['a', 'c']);
    await visitor.click(within(alert).getByRole('button', { name: 'Continue without it' }));
    await confirm(visitor);
    await waitFor(() => expect(pressed).toHaveLength(1));
    expect(orders()[1]?.body).toEqual({ sampleIds: ['a', 'c'], expectedCredits: 4 });
  });

  it('[DL-723] shows a changed price and asks again; too few credits keep the picks', async () => {
    const visitor = show();
    await pickAll();
    server.on(
      'POST /api/samples/downloads',
      refused('PriceChanged', { priceCredits: 9, expectedCredits: 6 }),
    );
    await visitor.click(bar().getByRole('button', { name: /^Download/ }));
    await confirm(visitor);
    await screen.findByText('The price changed from 6 Credits to 9 Credits. Nothing was charged.');
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
    server.on('POST /api/samples/downloads', refused('InsufficientCredits', { balance: 3, missing: 3 }));
    await visitor.click(bar().getByRole('button', { name: /^Download/ }));
    await dialog();
    // Another tab has spent the credits since the dialog opened.
    server.on('GET /api/credits', { json: { balance: 3, lots: [] } });
    await confirm(visitor);
    const alert = await screen.findByRole('alertdialog', { name: 'Insufficient Credits' });
    expect(alert.textContent).toContain('You have 3 credits remaining.');
    expect([picked(), pressed]).toEqual([['a', 'b', 'c'], []]);
  });

  it('[DL-724] goes on after a visitor signed in', async () => {
    const page = navigationAt('/search');
    const stop = carryOnAfterSignIn((intent) => void carryOn(intent, page));
    await act(() => signOut());
    const visitor = show();
    await pickAll();
    await visitor.click(bar().getByRole('button', { name: /^Download/ }));
    await visitor.click(await screen.findByRole('button', { name: 'Sign in' }));
    act(() => signedInAs(NOOR));
    expect((await dialog()).textContent).toContain('3 samples');
    expect(orders()).toHaveLength(0);
    stop();
  });
});
