import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { player } from '../../web/src/player/player.js';
import { keepProjectsMoved } from '../../web/src/project/guest-projects.js';
import { closeProjectPanel } from '../../web/src/project/panel-request.js';
import { currentProject, newProject, openProject, type NamedProject } from '../../web/src/project/project.js';
import { addProject, guestProjects, keepForGuest } from '../../web/src/project/projects.js';
import { openLinkedProject, projectLink } from '../../web/src/project/share.js';
import { tempoOfTaps, withTap } from '../../web/src/project/tempo-field.js';
import SearchScreen from '../../web/src/screens/search/search-screen.js';
import { Layout } from '../../web/src/shell/layout.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import { leave, NOOR, pageOf, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { refused, StubServer } from './support/server.js';

const VERSE = newProject({
  id: '4f8b0b6e-3a2c-4d0f-9a55-0b7f6c1d2e3f',
  name: 'Last bus, verse',
  tempo: 90,
  key: 'C Minor',
});

let server: StubServer;
/** The projects of the account, as the stubbed server has them. */
let saved: NamedProject[];

beforeEach(() => {
  saved = [];
  server = new StubServer({
    'GET /api/samples': { json: pageOf([sampleNamed('a')]) },
    'GET /api/projects': () => ({ json: { items: saved } }),
    'POST /api/projects': ({ body }) => {
      saved = [body as NamedProject, ...saved];
      return { json: body };
    },
    'PATCH /api/projects/:id': ({ path, body }) => {
      const id = path.split('/').at(-1);
      saved = saved.map((each) => (each.id === id ? { ...each, ...(body as NamedProject) } : each));
      return { json: saved.find((each) => each.id === id) };
    },
    'DELETE /api/projects/:id': ({ path }) => {
      saved = saved.filter(({ id }) => id !== path.split('/').at(-1));
      return { status: 204 };
    },
    'POST /api/auth/sign-out': { status: 204 },
  });
  keepForGuest([]);
  openProject(null);
});
afterEach(async () => {
  act(() => {
    player.close();
    closeProjectPanel();
  });
  await leave();
  keepForGuest([]);
});

/** Opens the panel by the commands, as on any page. */
async function openPanel() {
  renderAt('/search', <Layout />);
  const visitor = userEvent.setup();
  // The shortcuts load after the page.
  const commands = await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    return screen.getByRole('combobox', { name: 'Go to, search or act' });
  });
  await visitor.type(commands, 'my project{Enter}');
  const panel = within(await screen.findByRole('dialog', { name: 'My project' }));
  return { visitor, panel };
}

const wheelOf = (panel: ReturnType<typeof within>) =>
  within(panel.getByRole('listbox', { name: 'Circle of fifths' }));

describe('the panel "My project"', () => {
  it('[PROJ-702] opens from the commands; the first value begins a project, and changes are kept', async () => {
    const { visitor, panel } = await openPanel();
    expect(currentProject()).toBeNull();
    await visitor.click(wheelOf(panel).getByRole('option', { name: 'C Minor' }));
    expect(currentProject()).toMatchObject({ name: 'My project', tempo: 120, key: 'C Minor' });
    const tempo = panel.getByRole('spinbutton', { name: 'Tempo' });
    await visitor.clear(tempo);
    await visitor.type(tempo, '90.5{Enter}');
    await visitor.click(panel.getByRole('button', { name: 'Faster' }));
    await visitor.click(panel.getByRole('button', { name: '6/8' }));
    const name = panel.getByRole('textbox', { name: 'Name of the project' });
    await visitor.clear(name);
    await visitor.type(name, 'Kettle{Enter}');
    const project = { name: 'Kettle', tempo: 92, key: 'C Minor', timeSignature: '6/8' };
    expect(currentProject()).toMatchObject(project);
    expect(JSON.parse(localStorage.getItem('project') ?? '')).toMatchObject(project);
    expect(JSON.parse(localStorage.getItem('projects') ?? '')).toMatchObject([project]);
    await visitor.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[PROJ-930] takes the focus from the commands', async () => {
    const { visitor } = await openPanel();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'My project' })),
    );
    await visitor.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[PROJ-702] has several projects: choose, add and delete after a question', async () => {
    addProject(VERSE);
    const { visitor, panel } = await openPanel();
    await visitor.dblClick(panel.getByRole('button', { name: 'New project' }));
    expect(currentProject()).toMatchObject({ name: 'My project', tempo: 120 });
    expect(guestProjects()).toHaveLength(2);
    await visitor.click(panel.getByRole('button', { name: /^Last bus, verse/ }));
    expect(currentProject()).toEqual(VERSE);
    await visitor.click(panel.getByRole('button', { name: 'Delete: Last bus, verse' }));
    await visitor.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(currentProject()).toBeNull());
    expect(panel.queryByRole('button', { name: /^Last bus, verse/ })).toBeNull();
  });

  it('[PROJ-702] takes taps on T, and the circle of fifths by arrows as one tab stop', async () => {
    addProject(VERSE);
    const { visitor, panel } = await openPanel();
    const wheel = panel.getByRole('listbox', { name: 'Circle of fifths' });
    expect(within(wheel).getAllByRole('option')).toHaveLength(24);
    act(() => wheel.focus());
    for (const [key, expected] of [
      ['{ArrowRight}', 'G Minor'],
      ['{ArrowUp}', 'Bb Major'],
      ['{ArrowLeft}', 'Eb Major'],
      ['{Delete}', null],
    ] as const) {
      await visitor.keyboard(key);
      expect(currentProject()?.key).toBe(expected);
    }
    expect(within(wheel).queryByRole('option', { selected: true })).toBeNull();
    for (const timeStamp of [1_000, 1_500, 2_000, 2_500]) {
      const press = new KeyboardEvent('keydown', { key: 't', bubbles: true, cancelable: true });
      Object.defineProperty(press, 'timeStamp', { value: timeStamp });
      act(() => void wheel.dispatchEvent(press));
    }
    expect(currentProject()?.tempo).toBe(120);
  });

  it('[PROJ-702] works a tempo out from taps, and begins again after a pause', () => {
    const taps = (...times: number[]) => tempoOfTaps(times.reduce<number[]>(withTap, []));
    expect(taps(0)).toBeUndefined();
    expect(taps(0, 666, 1_333, 2_000)).toBe(90);
    expect(taps(0, 100, 5_000, 5_500)).toBe(120);
    expect(taps(0, 10)).toBe(240);
  });
});

describe('where projects are kept', () => {
  it('[PROJ-703] in the account, changes one after another, the newest in place of those that wait', async () => {
    signedInAs(NOOR);
    const { visitor, panel } = await openPanel();
    await visitor.click(wheelOf(panel).getByRole('option', { name: 'C Minor' }));
    for (let press = 0; press < 5; press++) fireEvent.click(panel.getByRole('button', { name: 'Faster' }));
    await waitFor(() => expect(saved).toMatchObject([{ tempo: 125, key: 'C Minor' }]));
    expect(server.seen('PATCH /api/projects/:id').length).toBeLessThan(5);
    expect(localStorage.getItem('projects')).toBeNull();
  });

  it('[PROJ-703] those of a guest move into the account at sign-in, and the browser forgets all at sign-out', async () => {
    const stop = keepProjectsMoved();
    addProject({ ...VERSE, id: undefined, name: 'Older' });
    addProject(VERSE);
    act(() => signedInAs(NOOR));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual([VERSE.name, 'Older']));
    await waitFor(() => expect(localStorage.getItem('projects')).toBeNull());
    expect(currentProject()).toEqual(VERSE);
    stop();
    await act(leave);
    expect(currentProject()).toBeNull();
    expect(localStorage.getItem('project')).toBeNull();
  });

  it('[PROJ-703] says so if the account has no room', async () => {
    server.on('POST /api/projects', refused('TooManyProjects'));
    signedInAs(NOOR);
    const { visitor, panel } = await openPanel();
    await visitor.click(panel.getByRole('button', { name: 'New project' }));
    expect(await screen.findAllByText('You have 100 projects. Delete one first.')).not.toHaveLength(0);
  });

  it('[PROJ-704] a link has all values, and asks before it replaces the open project', async () => {
    const hash = new URL(projectLink(VERSE)).hash;
    const open = newProject({ name: 'Kettle', tempo: 84 });
    openProject(open);
    for (const confirmed of [false, true]) {
      const opening = openLinkedProject(hash);
      act(() => settleAlert(confirmed));
      await opening;
      const { id: _, ...values } = VERSE;
      expect(currentProject()).toMatchObject(confirmed ? values : open);
    }
    renderAt(`/search${hash}`, <Layout />);
    await screen.findByRole('navigation', { name: 'Legal texts' });
    // The values are open already.
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('sounds beside a project', () => {
  it('[PROJ-705] say how they fit, in words', async () => {
    openProject(VERSE);
    const samples = [
      ['Fits', 90, 'C Minor'],
      ['Fits', 0, null],
      ['Relative key', 84, 'Eb Major'],
      ['Half time', 46, null],
      ['Double time', 176, 'C Minor'],
      ['Parallel key', 90, 'C Major'],
      ['Neighbour key', 90, 'G Minor'],
      ['+2 semitones', 90, 'Bb Minor'],
      ['−1 semitone', 90, 'C# Minor'],
      ['Stretched', 70, 'C Minor'],
    ] as const;
    renderAt(
      '/search',
      <SampleList
        label="Rows"
        place="list"
        samples={samples.map(([label, bpm, key]) => sampleNamed(`${label} ${bpm}`, { bpm, key }))}
      />,
    );
    await screen.findAllByText('Half time');
    const rows = screen.getAllByRole('listitem');
    for (const [at, [label]] of samples.entries())
      expect(within(rows[at] as HTMLElement).getAllByText(label).length).toBeGreaterThan(0);
    act(() => openProject(null));
    expect(screen.queryByText('Half time')).toBeNull();
  });

  it('[PROJ-705] are sorted by fit without a text, and filtered on request', async () => {
    const asked = () => Object.fromEntries(server.seen('GET /api/samples').at(-1)?.query ?? []);
    const { path } = renderAt('/search', <SearchScreen />);
    await waitFor(() => expect(asked()).not.toHaveProperty('sort'));
    act(() => openProject(VERSE));
    await waitFor(() => expect(asked()).toMatchObject({ sort: 'fits', project: '90,C Minor' }));
    const order = screen.getAllByRole<HTMLSelectElement>('combobox', { name: 'Sort by' })[0]!;
    expect(order.value).toBe('fits');
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('button', { name: 'Fits Last bus, verse' }));
    expect(path()).toBe('/search?fits=true');
    await waitFor(() => expect(asked()).toMatchObject({ fits: '90,C Minor', sort: 'fits' }));
    await visitor.selectOptions(order, 'Popular');
    await waitFor(() => expect(asked()).not.toHaveProperty('project'));
    act(() => openProject(null));
    await waitFor(() => expect(asked()).not.toHaveProperty('fits'));
    cleanup();
    act(() => openProject(VERSE));
    renderAt('/search?q=piano', <SearchScreen />);
    await waitFor(() => expect(asked()).toMatchObject({ q: 'piano' }));
    expect(asked()).not.toHaveProperty('project');
  });
});
