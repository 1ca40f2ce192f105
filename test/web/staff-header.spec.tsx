import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import { queryClient } from '../../web/src/api/query-client.js';
import { NavigationRouter } from '../../web/src/navigation.js';
import { player } from '../../web/src/player/player.js';
import { loadSession, signOut } from '../../web/src/session/session.js';
import { Layout } from '../../web/src/shell/layout.js';
import { ROLE_REQUEST } from './support/admin.js';
import { NOOR, forgetAnswers, navigationAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, exampleWith } from './support/server.js';

const PEOPLE = ['Noor Haddad', 'Noor Shah'].map((displayName, at) => ({
  id: `noor-${at + 1}`,
  displayName,
  email: `noor${at + 1}@haddad.fm`,
  handle: null,
}));
const PIA = { ...NOOR, displayName: 'Pia Lund', roles: ['admin' as const] };
const PETRA = { ...NOOR, displayName: 'Petra Voss', roles: ['finance' as const] };

let server: StubServer;
/** Whether the window is wide enough for a field in the header. */
let wide = true;
const matchMediaBefore = window.matchMedia;

beforeEach(() => {
  wide = true;
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: query.includes('1280') && wide,
      media: query,
    }) as MediaQueryList;
  server = new StubServer({
    'GET /api/auth/session': { json: { user: null } },
    'GET /api/credits': { json: { balance: 128, lots: [] } },
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/library/history': {},
    'GET /api/admin/people': ({ query }) => ({
      json: { items: query.get('q') === 'noor' ? PEOPLE : [] },
    }),
    'GET /api/admin/approvals': {
      json: { items: [ROLE_REQUEST, { ...ROLE_REQUEST, id: 'role-2' }], nextCursor: null },
    },
    'GET /api/finance/approvals': { json: { items: [ROLE_REQUEST], nextCursor: null } },
    'GET /api/creator/profile': exampleWith('GET /api/creator/profile', {
      avatarUrl: '/media/avatars/p.webp',
    }),
    'GET /api/search/suggestions': { json: { items: [] } },
  });
});
afterEach(async () => {
  cleanup();
  player.close();
  await signOut();
  window.matchMedia = matchMediaBefore;
});

function Place() {
  const { pathname, state } = useLocation();
  return <h1>{`${pathname} ${JSON.stringify(state)}`}</h1>;
}

function open(address: string) {
  forgetAnswers();
  const navigation = navigationAt(address);
  render(
    <QueryClientProvider client={queryClient}>
      <NavigationRouter navigation={navigation}>
        <Routes>
          <Route element={<Layout />}>
            <Route path="*" element={<Place />} />
          </Route>
        </Routes>
      </NavigationRouter>
    </QueryClientProvider>,
  );
  return { visitor: userEvent.setup(), navigation, path: () => navigation.shown().location.pathname };
}
const linksOf = async (name: string) =>
  within(await screen.findByRole('navigation', { name })).getAllByRole('link');
const texts = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);
const field = () => screen.findByRole('combobox', { name: 'Find a person, id or e-mail' });

describe('the header of the staff', () => {
  it('[WEB-70] stands in for the shop: its own tag and pages, no shop, no credits, no tab bar', async () => {
    signedInAs(PETRA);
    open('/finance/creators/junie');
    await screen.findByRole('link', { name: 'Controls 1 waiting' });
    const links = await linksOf('Finance');
    expect(texts(links)).toEqual(['Overview', 'Money', 'Creators', 'Controls1 waiting', 'Reports']);
    expect(texts(links.filter((link) => link.hasAttribute('aria-current')))).toEqual(['Creators']);
    const home = screen.getByRole('link', { name: 'Offcut Finance' });
    expect(home.getAttribute('href')).toBe('/finance');
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    expect(screen.queryByRole('navigation', { name: 'Sections' })).toBeNull();
    expect(screen.queryByTitle('Your credits')).toBeNull();
    expect(server.seen('GET /api/credits')).toEqual([]);
  });

  it('[WEB-70] says on the entry how many requests wait', async () => {
    signedInAs(PIA);
    open('/admin/roles');
    await screen.findByRole('link', { name: 'Controls 2 waiting' });
    const links = await linksOf('Administration');
    expect(texts(links.filter((link) => link.hasAttribute('aria-current')))).toEqual(['Controls2 waiting']);
  });

  it('[WEB-70] is for people with the role; others keep the header of the shop', async () => {
    signedInAs(PETRA);
    open('/admin');
    await screen.findByTitle('Your credits');
    expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull();
    cleanup();
    await signOut();
    await loadSession();
    open('/finance');
    await screen.findByRole('button', { name: 'Sign in' });
    cleanup();
    signedInAs(PETRA);
    open('/finances');
    await screen.findByTitle('Your credits');
  });

  it('[WEB-71] leads by the menu to the shop, and to the other house who belongs there', async () => {
    signedInAs({ ...PETRA, roles: ['finance', 'admin'], isCreator: true });
    const { visitor, path } = open('/finance');
    const entries = async () => {
      await visitor.click(await screen.findByRole('button', { name: 'Account menu' }));
      await screen.findByRole('menu');
      return texts(screen.getAllByRole('menuitem'));
    };
    expect(await entries()).toEqual(['Administration', 'Back to the shop', 'Settings', 'Sign Out']);
    await visitor.click(screen.getByRole('menuitem', { name: 'Administration' }));
    await linksOf('Administration');
    expect(path()).toBe('/admin');
    expect(await entries()).toEqual(['Finance', 'Back to the shop', 'Settings', 'Sign Out']);
    await visitor.click(screen.getByRole('menuitem', { name: 'Back to the shop' }));
    await screen.findByRole('navigation', { name: 'Main' });
    expect(path()).toBe('/discover');
    expect(await entries()).toContain('My Library');
  });

  it('[WEB-72] finds people by keys alone, and chooses them where something is done for them', async () => {
    signedInAs(PIA);
    const { visitor, navigation } = open('/admin');
    await linksOf('Administration');
    await visitor.keyboard('/noor');
    expect(document.activeElement).toBe(await field());
    expect(texts(await screen.findAllByRole('option'))).toEqual([
      'NHNoor Haddadnoor1@haddad.fm',
      'NSNoor Shahnoor2@haddad.fm',
    ]);
    await visitor.keyboard('{ArrowDown}{ArrowDown}');
    const second = screen.getByRole('option', { name: /Shah/ });
    expect((await field()).getAttribute('aria-activedescendant')).toBe(second.id);
    await visitor.keyboard('{Enter}');
    expect(navigation.shown().location).toMatchObject({
      pathname: '/admin/credits',
      state: { person: PEOPLE[1] },
    });
    expect(screen.queryByRole('option')).toBeNull();
    await act(async () => navigation.push('/admin/refunds'));
    await visitor.type(await field(), 'noor');
    await visitor.click(await screen.findByRole('option', { name: /Haddad/ }));
    expect(navigation.shown().location).toMatchObject({
      pathname: '/admin/refunds',
      state: { person: PEOPLE[0] },
    });
    await act(async () => navigation.push('/admin/sessions'));
    await visitor.type(await field(), 'noor');
    await visitor.click(await screen.findByRole('option', { name: /Shah/ }));
    expect(navigation.shown().location).toMatchObject({
      pathname: '/admin/sessions',
      state: { person: PEOPLE[1] },
    });
    await act(async () => navigation.push('/admin/refunds'));
    // Results of another text select no person.
    await visitor.type(await field(), 'nobody{Enter}');
    await screen.findByText('No person matches “nobody”');
    expect(navigation.shown().location.pathname).toBe('/admin/refunds');
  });

  it('[WEB-72] asks in a sheet where there is no room for a field, and gives the focus back', async () => {
    wide = false;
    signedInAs(PIA);
    const { visitor, path } = open('/admin');
    const button = await screen.findByRole('button', { name: 'Find a person' });
    await visitor.click(button);
    await screen.findByRole('dialog');
    await waitFor(async () => expect(document.activeElement).toBe(await field()));
    await visitor.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(button));
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    await visitor.keyboard('/');
    await visitor.type(await field(), 'noor');
    await screen.findAllByRole('option');
    await visitor.keyboard('{Enter}');
    await waitFor(() => expect(path()).toBe('/admin/credits'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('[FIN-77] finds in the books by keys alone, and goes where it is explained', async () => {
    const items = [
      {
        kind: 'invoice',
        id: 'in_1SPk8uLm',
        title: 'Invoice in_1SPk8uLm',
        subtitle: 'Noor Haddad',
        amountMicroUsd: 24_190_000,
        at: '2026-11-04T09:31:00.000Z',
        href: '/finance/trace/in_1SPk8uLm',
      },
      {
        kind: 'person',
        id: 'teo',
        title: 'Teo Marchetti',
        subtitle: 'teo@x.fm · teo',
        href: '/finance/creators/teo',
      },
    ];
    server.on('GET /api/finance/find', ({ query }) => ({
      json: { items: query.get('q') === '24.19' ? items : [] },
    }));
    signedInAs(PETRA);
    const { visitor, path } = open('/finance');
    await linksOf('Finance');
    const books = () => screen.findByRole('combobox', { name: 'Find by id, name, e-mail or amount' });
    await visitor.keyboard('/24.19');
    expect(document.activeElement).toBe(await books());
    expect(texts(await screen.findAllByRole('option'))).toEqual([
      'Invoice in_1SPk8uLmNoor Haddad$24.194 Nov 2026',
      'TMTeo Marchettiteo@x.fm · teo',
    ]);
    await visitor.keyboard('{ArrowDown}{Enter}');
    expect(path()).toBe('/finance/trace/in_1SPk8uLm');
    await visitor.type(await books(), 'wren');
    await screen.findByText('Nothing matches “wren”');
  });

  it('[WEB-73] keeps the player, and its keys; the commands are those of the house', async () => {
    signedInAs(PIA);
    const { visitor, path } = open('/admin');
    await linksOf('Administration');
    await act(() => player.play(sampleNamed('a')));
    await screen.findByRole('region', { name: 'Player' });
    await visitor.keyboard(' ');
    expect(player.getState().currentlyPlaying).toBeNull();
    await visitor.keyboard('{Control>}k{/Control}');
    await visitor.type(await screen.findByRole('combobox', { name: 'Go to or act' }), 're');
    const commands = () => texts(screen.getAllByRole('option'));
    expect(commands()).toEqual(expect.arrayContaining(['Go toReports', 'Go toRefunds']));
    for (const shop of ['Search for', 'Credits and plan', 'Go toSounds', 'Swipe'])
      expect(commands().join()).not.toContain(shop);
    expect(server.seen('GET /api/search/suggestions')).toEqual([]);
    await visitor.keyboard('funds{Enter}');
    await waitFor(() => expect(path()).toBe('/admin/refunds'));
  });
});
