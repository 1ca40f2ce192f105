import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ReactElement } from 'react';
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { queryClient } from '../../web/src/api/query-client.js';
import { NavigationRouter } from '../../web/src/navigation.js';
import { player } from '../../web/src/player/player.js';
import { routes } from '../../web/src/routes.js';
import { closeSignIn, openSignIn } from '../../web/src/session/sign-in-request.js';
import { loadSession, signOut } from '../../web/src/session/session.js';
import { CrashBoundary, CrashScreen, ScreenCrash } from '../../web/src/shell/crash-screen.js';
import { Layout } from '../../web/src/shell/layout.js';
import NotFoundScreen from '../../web/src/screens/not-found/not-found-screen.js';
import { useLeaveQuestion, useUnsaved } from '../../web/src/ui/forms/unsaved.js';
import { askConfirm, showAlert } from '../../web/src/ui/overlays/alerts.js';
import {
  TOAST_REMOVAL_MS,
  ToastRegion,
  dismissToast,
  toast,
  useToast,
} from '../../web/src/ui/overlays/toast.js';
import {
  NOOR,
  ORIGINAL_FACTS,
  forgetAnswers,
  navigationAt,
  sampleNamed,
  signedInAs,
} from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/auth/session': { json: { user: null } },
    'POST /api/crashes': { status: 204 },
    'GET /api/credits': { json: { balance: 128, lots: [] } },
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/library/history': {},
    'GET /api/search/suggestions': ({ query }) => ({
      json: {
        items: Array.from({ length: 5 }, (_, at) => ({
          kind: 'pack',
          label: `${query.get('q')} ${at + 1}`,
          href: `/pack/p${at + 1}/Wren_Abbott`,
        })),
      },
    }),
  });
});
afterEach(async () => {
  cleanup();
  player.close();
  await signOut();
});

function Broken(): never {
  throw new TypeError("Cannot read properties of undefined (reading 'length')");
}

function Changed() {
  useLeaveQuestion();
  useUnsaved(true);
  return <h1>A changed form</h1>;
}

function show(address = '/discover', state?: object) {
  forgetAnswers();
  const page = (text: string) => <h1>{text}</h1>;
  const navigation = navigationAt(address, state);
  render(
    <QueryClientProvider client={queryClient}>
      <NavigationRouter navigation={navigation}>
        <Routes>
          <Route element={<Layout />}>
            <Route path="/" element={page('Home')} />
            <Route
              path="/broken"
              element={
                <CrashBoundary Crash={ScreenCrash}>
                  <Broken />
                </CrashBoundary>
              }
            />
            <Route path="/changed" element={<Changed />} />
            <Route path="/discover" element={page('The discover page')} />
            <Route path="/sounds" element={page('The sounds page')} />
            <Route path="/search" element={page('The search page')} />
            <Route path="/pack/:slug/:creator" element={page('A pack')} />
            <Route path="*" element={<NotFoundScreen />} />
          </Route>
        </Routes>
      </NavigationRouter>
    </QueryClientProvider>,
  );
  return { visitor: userEvent.setup(), navigation };
}
const box = () => screen.getByRole('combobox', { name: 'Search samples, packs, creators' });

describe('the header', () => {
  it('[HDR-05] opens the sections and marks only the current one', async () => {
    const { visitor, navigation } = show();
    const nav = screen.getByRole('navigation', { name: 'Main' });
    const links = [...nav.querySelectorAll('a')];
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Sounds',
      'Discover',
      'Collections',
      'Swipe',
      'Workbench',
    ]);
    expect(links.filter((link) => link.hasAttribute('aria-current'))).toEqual([links[1]]);
    await visitor.click(links[0] as HTMLElement);
    expect(navigation.shown().location.pathname).toBe('/sounds');
    expect(links.filter((link) => link.hasAttribute('aria-current'))).toEqual([links[0]]);
  });

  it('[HDR-04] shows a sign-in button signed out, credits and the account menu signed in', async () => {
    await loadSession();
    show();
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy();
    act(() => signedInAs(NOOR));
    expect(await screen.findByRole('button', { name: 'Account menu' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
    await waitFor(() => expect(screen.getByTitle('Your credits').textContent).toContain('128'));
  });

  it('[HDR-07] [HDR-08] the menu names the visitor and what is theirs; the dashboard is for creators', async () => {
    signedInAs(NOOR);
    const { visitor } = show();
    await visitor.click(screen.getByRole('button', { name: 'Account menu' }));
    await screen.findByRole('menu');
    expect(screen.getByText('Noor Haddad')).toBeTruthy();
    expect(screen.getByText('noor@paperround.fm')).toBeTruthy();
    const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(items()).toEqual(['Inbox', 'Settings', 'My Library', 'Sign Out']);
    await visitor.click(screen.getByRole('menuitem', { name: 'My Library' }));
    await screen.findByRole('menuitem', { name: 'Downloaded Content' });
    expect(items()).toEqual(expect.arrayContaining(['Saved Content', 'Downloaded Content']));
    act(() => signedInAs({ ...NOOR, isCreator: true, avatarUrl: '/media/avatars/noor.webp' }));
    await waitFor(() => expect(items()).toContain('Creator Dashboard'));
  });

  it('[HDR-06] has a back button only where a page asks for it or the visitor came from the dashboard', async () => {
    const { visitor, navigation } = show('/discover');
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
    await act(async () => navigation.push('/pack/a/b', { fromDashboard: true }));
    await visitor.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(navigation.shown().location.pathname).toBe('/discover'));
  });

  it('[HDR-06] goes to /sounds where there is no history, and to the address that was given', async () => {
    const first = show('/pack/a/b', { back: true });
    await first.visitor.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(first.navigation.shown().location.pathname).toBe('/sounds'));
    cleanup();
    const second = show('/pack/a/b', { backTo: '/discover' });
    await second.visitor.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(second.navigation.shown().location.pathname).toBe('/discover'));
  });

  it('[HDR-03] pauses when the path changes, not when the query does', async () => {
    const { navigation } = show('/discover');
    await act(() => player.play(sampleNamed('a')));
    await screen.findByRole('region', { name: 'Player' });
    await act(async () => navigation.push('/discover?mood=Dark'));
    expect(player.getState().currentlyPlaying).toBe('a');
    await act(async () => navigation.push('/sounds'));
    expect(player.getState().currentlyPlaying).toBeNull();
    expect(player.getState().track?.id).toBe('a');
  });
});

describe('the search box', () => {
  it('[SBOX-01] suggests from the second letter on, at most five', async () => {
    const { visitor, navigation } = show();
    await visitor.type(box(), 'v');
    await act(() => new Promise((resolve) => setTimeout(resolve, 250)));
    expect(server.seen('GET /api/search/suggestions')).toHaveLength(0);
    await visitor.type(box(), 'i');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(5));
    await visitor.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(navigation.shown().location.pathname).toBe('/pack/p2/Wren_Abbott');
  });

  it('[SBOX-703] marks the typed words where a word of a suggestion starts', async () => {
    server.on('GET /api/search/suggestions', {
      json: { items: [{ kind: 'genre', label: 'Boom-Bap, boB & bob', href: '/search?genre=Boom-Bap' }] },
    });
    const { visitor } = show();
    await visitor.type(box(), 'boom b(');
    const marked = () =>
      [...screen.getByRole('option').querySelectorAll('mark')].map(({ textContent }) => textContent);
    await waitFor(() => expect(marked()).toEqual(['Boom']));
    expect(screen.getByRole('option').textContent).toContain('Boom-Bap, boB & bob');
    await visitor.type(box(), '{Backspace}');
    await waitFor(() => expect(marked()).toEqual(['Boom', 'B', 'b', 'b']));
  });

  it('[SBOX-720] plays a suggested sample and stays open', async () => {
    const [one, two] = [sampleNamed('one'), sampleNamed('two')];
    server.on('GET /api/search/suggestions', {
      json: {
        items: [one, two].map(({ id, title }) => ({
          kind: 'sample',
          label: `${title} ${id}`,
          href: `/pack/${id}/Wren_Abbott`,
          sampleId: id,
        })),
      },
    });
    server.on('GET /api/samples/:id', ({ path }) => ({
      json: { ...(path.endsWith('one') ? one : two), ...ORIGINAL_FACTS },
    }));
    const { visitor, navigation } = show();
    await visitor.type(box(), 'rented');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await visitor.click(screen.getAllByTitle('Play (Shift+Enter)')[1] as Element);
    await waitFor(() => expect(player.getState().track?.id).toBe('two'));
    await visitor.keyboard('{ArrowDown}{Shift>}{Enter}{/Shift}');
    await waitFor(() => expect(player.getState().track?.id).toBe('one'));
    expect(screen.getAllByRole('option')).toHaveLength(2);
    expect(navigation.shown().location.pathname).toBe('/discover');
  });

  it('[SBOX-03] submits the trimmed text, and nothing when it is blank', async () => {
    const { visitor, navigation } = show();
    await visitor.type(box(), '   {Enter}');
    expect(navigation.shown().location.pathname).toBe('/discover');
    await visitor.clear(box());
    await visitor.type(box(), '  vinyl crackle {Enter}');
    expect(navigation.shown().location.pathname).toBe('/search');
    expect(navigation.shown().location.search).toBe('?q=vinyl+crackle');
  });
});

describe('utility pages', () => {
  it('[WEB-10] Enter that ends the composing of a word is no wish to search', async () => {
    const { navigation } = show();
    fireEvent.change(box(), { target: { value: 'にほん' } });
    fireEvent.focus(box());
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(5));
    fireEvent.keyDown(box(), { key: 'ArrowDown', isComposing: true });
    expect(screen.queryByRole('option', { selected: true })).toBeNull();
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
    // Safari ends the composition first; the key code 229 still marks the key as part of it.
    fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
    expect(navigation.shown().location.pathname).toBe('/discover');
    fireEvent.keyDown(box(), { key: 'Enter' });
    await waitFor(() => expect(navigation.shown().location.pathname).toBe('/pack/p1/Wren_Abbott'));
  });

  it('[WEB-10] Enter that ends the composing of a word runs no command', async () => {
    const { visitor, navigation } = show();
    await visitor.keyboard('{Control>}k{/Control}');
    const input = await screen.findByRole('combobox', { name: 'Go to, search or act' });
    await visitor.type(input, 'sounds');
    fireEvent.keyDown(input, { key: 'Enter', isComposing: true });
    expect(navigation.shown().location.pathname).toBe('/discover');
    fireEvent.keyDown(input, { key: 'Enter' });
    await waitFor(() => expect(navigation.shown().location.pathname).toBe('/sounds'));
  });

  it('[WEB-03] signing out by command says when it failed', async () => {
    signedInAs(NOOR);
    server.on('POST /api/auth/sign-out', refused('InternalError'));
    const { visitor } = show();
    await visitor.keyboard('{Control>}k{/Control}');
    await visitor.type(
      await screen.findByRole('combobox', { name: 'Go to, search or act' }),
      'sign out{Enter}',
    );
    expect(await screen.findByText('You are still signed in')).toBeTruthy();
    server.on('POST /api/auth/sign-out', { status: 204 });
    act(dismissToast);
  });

  it('[WEB-08] a held space toggles once', async () => {
    show();
    await act(() => player.play(sampleNamed('a')));
    await screen.findByRole('region', { name: 'Player' });
    fireEvent.keyDown(document.body, { key: ' ' });
    for (let times = 0; times < 9; times += 1) fireEvent.keyDown(document.body, { key: ' ', repeat: true });
    expect(player.getState().currentlyPlaying).toBeNull();
  });

  it('[UTIL-01] an unknown path leads back home', async () => {
    show('/no/such/page');
    expect(screen.getByText('Oops! Page not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/');
    // Loads the lazy module before the test ends.
    await act(() => import('../../web/src/scene/scene-slot.js'));
  });

  it('[WEB-16] a screen that fails leaves header, player and every other page', async () => {
    const silence = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { visitor, navigation } = show('/broken');
    expect(await screen.findByRole('heading', { name: 'Runtime Error' })).toBeTruthy();
    expect(document.body.textContent).not.toContain('charged');
    await act(() => player.play(sampleNamed('a')));
    expect(await screen.findByRole('region', { name: 'Player' })).toBeTruthy();
    const nav = within(screen.getByRole('navigation', { name: 'Main' }));
    await visitor.click(nav.getByRole('link', { name: 'Sounds' }));
    expect(screen.getByRole('heading', { name: 'The sounds page' })).toBeTruthy();
    expect(navigation.shown().location.pathname).toBe('/sounds');
    silence.mockRestore();
  });

  it('[WEB-16] every screen is caught by itself', () => {
    const [layout] = routes;
    expect(layout?.children?.length).toBeGreaterThan(15);
    const caught = layout?.children?.map(({ element }) => (element as ReactElement<unknown>).type);
    expect(new Set(caught)).toEqual(new Set([CrashBoundary]));
  });

  it('[UTIL-04] a crash shows "Runtime Error", the message and an id to copy, which stands in the log', async () => {
    render(<CrashScreen error={new Error('The reel came off')} />);
    expect(screen.getByRole('heading', { name: 'Runtime Error' })).toBeTruthy();
    expect(screen.getByText('The reel came off')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Copy error id' })).toBeTruthy();
    const crash = server.seen('POST /api/crashes')[0]?.body as { errorId: string };
    expect(crash).toMatchObject({ message: 'The reel came off', path: '/' });
    expect(screen.getByText(crash.errorId)).toBeTruthy();
  });

  it('[WEB-16] a crash that the server cannot log offers no id', async () => {
    server.on('POST /api/crashes', refused('InternalError'));
    render(<CrashScreen error={new Error('The reel came off')} />);
    await waitFor(() => expect(server.seen('POST /api/crashes')).toHaveLength(1));
    await act(() => Promise.resolve());
    expect(screen.queryByRole('button', { name: 'Copy error id' })).toBeNull();
  });
});

describe('toasts and dialogs', () => {
  it('[TOAST-01] a new toast replaces the one on screen', async () => {
    render(<ToastRegion />);
    act(() => toast({ title: 'First' }));
    act(() => toast({ title: 'Second' }));
    expect(screen.queryByText('First')).toBeNull();
    expect(screen.getByText('Second')).toBeTruthy();
  });

  it('[WEB-09] a toast goes after its time also when the one before was closed by the keyboard', async () => {
    jest.useFakeTimers();
    const visitor = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    render(
      <>
        <button>Before</button>
        <ToastRegion />
      </>,
    );
    const before = screen.getByRole('button', { name: 'Before' });
    act(() => before.focus());
    act(() => toast({ title: 'First' }));
    await visitor.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close notification' }));
    await visitor.keyboard('{Enter}');
    expect(screen.queryByText('First')).toBeNull();
    expect(document.activeElement).toBe(before);
    act(() => toast({ title: 'Second' }));
    act(() => void jest.advanceTimersByTime(6_000));
    expect(screen.queryByText('Second')).toBeNull();
    jest.useRealTimers();
  });

  it('[TOAST-01] a dismissed toast leaves the list after 1000000 ms', () => {
    jest.useFakeTimers();
    const listed = () => {
      const { result, unmount } = renderHook(() => useToast());
      unmount();
      return result.current;
    };
    toast({ title: 'Here' });
    dismissToast();
    expect(listed()?.open).toBe(false);
    jest.advanceTimersByTime(TOAST_REMOVAL_MS - 1);
    expect(listed()).not.toBeNull();
    jest.advanceTimersByTime(1);
    expect(listed()).toBeNull();
    expect(TOAST_REMOVAL_MS).toBe(1_000_000);
    jest.useRealTimers();
  });

  const dialog = () => screen.queryByRole('dialog', { name: 'Welcome Back' });
  const signInOver = async (address: string) => {
    const shown = show(address);
    await act(async () => shown.navigation.push('/sounds'));
    act(() => openSignIn());
    await screen.findByRole('dialog', { name: 'Welcome Back' });
    await waitFor(() => expect(shown.navigation.shown().location.state).toHaveProperty('covers'));
    return { ...shown, back: () => act(async () => shown.navigation.go(-1)) };
  };

  it('[PROJ-930] the panel "My project" takes the focus, and gives it back on Escape and on Back', async () => {
    const { navigation, visitor } = show('/sounds');
    await act(() => player.play(sampleNamed('a')));
    const opener = await screen.findByRole('button', { name: /My project/ });
    const closings = [() => visitor.keyboard('{Escape}'), () => act(async () => navigation.go(-1))];
    for (const close of closings) {
      await visitor.click(opener);
      const panel = await screen.findByRole('dialog', { name: 'My project' });
      await waitFor(() => expect(document.activeElement).toBe(panel));
      await waitFor(() => expect(navigation.shown().location.state).toHaveProperty('covers'));
      await close();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(document.activeElement).toBe(opener);
    }
  });

  it('[PLAY-930] the lock screen shows the sound of the player on every page but the workbench', async () => {
    const handlers: Record<string, unknown> = {};
    const session = {
      metadata: null,
      playbackState: 'none',
      setActionHandler: (action: string, handler: unknown) => void (handlers[action] = handler),
    };
    Object.defineProperty(navigator, 'mediaSession', { value: session, configurable: true });
    Object.assign(globalThis, {
      MediaMetadata: class {
        constructor(init: object) {
          Object.assign(this, init);
        }
      },
    });
    const { navigation } = show('/swipe');
    await act(() => player.play(sampleNamed('a', { title: 'Brush break' })));
    await waitFor(() => expect(session.metadata).toMatchObject({ title: 'Brush break' }));
    expect(handlers.play).toBeInstanceOf(Function);
    expect(screen.queryByRole('region', { name: 'Player' })).toBeNull();
    await act(async () => navigation.push('/workbench'));
    expect(session).toMatchObject({ metadata: null, playbackState: 'none' });
    expect(Object.values(handlers)).toEqual(Object.values(handlers).map(() => null));
    await act(async () => navigation.push('/sounds'));
    expect(session.metadata).toMatchObject({ title: 'Brush break' });
    expect(screen.getByRole('region', { name: 'Player' })).toBeTruthy();
    Reflect.deleteProperty(navigator, 'mediaSession');
    Reflect.deleteProperty(globalThis, 'MediaMetadata');
  });

  it('[WEB-17] back closes a dialog and stays on the page, the next back leaves it', async () => {
    const { navigation, back } = await signInOver('/discover');
    await back();
    await waitFor(() => expect(dialog()).toBeNull());
    expect(navigation.shown().location.pathname).toBe('/sounds');
    await back();
    await waitFor(() => expect(navigation.shown().location.pathname).toBe('/discover'));
  });

  it('[WEB-17] a dialog that closes by itself costs no press of back, and leaving the page closes one', async () => {
    const { navigation, visitor, back } = await signInOver('/discover');
    await visitor.keyboard('{Escape}');
    await waitFor(() => expect(dialog()).toBeNull());
    act(() => openSignIn());
    await screen.findByRole('dialog', { name: 'Welcome Back' });
    await act(async () => navigation.push('/library'));
    await waitFor(() => expect(dialog()).toBeNull());
    await back();
    expect(navigation.shown().location.pathname).toBe('/sounds');
    await act(async () => navigation.replace('/sounds?row=new-releases'));
    await back();
    await waitFor(() => expect(navigation.shown().location.pathname).toBe('/discover'));
  });

  it('[WEB-19] back over unsaved changes asks once, and leaves the page if the visitor agrees', async () => {
    const { navigation, visitor } = show('/discover');
    const path = () => navigation.shown().location.pathname;
    const question = () => screen.findByRole('alertdialog', { name: 'Discard changes?' });
    await act(async () => navigation.push('/changed'));
    await act(async () => navigation.go(-1));
    await visitor.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(path()).toBe('/changed');
    await act(async () => navigation.push('/sounds'));
    await act(async () => navigation.push('/library'));
    await visitor.click(within(await question()).getByRole('button', { name: 'Discard' }));
    await screen.findByRole('heading', { name: 'The sounds page' });
    expect(path()).toBe('/sounds');
    await act(async () => navigation.go(-1));
    await screen.findByRole('heading', { name: 'A changed form' });
    await act(async () => navigation.go(-1));
    await visitor.click(within(await question()).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(path()).toBe('/discover'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('[WEB-17] back closes the newest of two dialogs, and undoes a query that one changed', async () => {
    const { navigation, back } = await signInOver('/discover');
    act(() => void askConfirm());
    await screen.findByRole('alertdialog', { hidden: true });
    await act(async () => navigation.push('/sounds?row=new-releases'));
    expect(dialog()).not.toBeNull();
    await back();
    expect(navigation.shown().location.search).toBe('');
    act(closeSignIn);
    expect(await screen.findByRole('alertdialog')).toBeTruthy();
    act(() => openSignIn());
    await screen.findByRole('dialog', { name: 'Welcome Back' });
    await back();
    await waitFor(() => expect(dialog()).toBeNull());
    expect(await screen.findByRole('alertdialog')).toBeTruthy();
    await back();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(navigation.shown().location.pathname).toBe('/sounds');
  });

  it('[TOAST-02] an alert is titled "Notice", a question "Confirm" / "Are you sure?"; dismissing it means no', async () => {
    const { visitor } = show();
    act(() => void showAlert({ message: 'Something' }));
    expect(await screen.findByRole('alertdialog', { name: 'Notice' })).toBeTruthy();
    await visitor.click(screen.getByRole('button', { name: 'OK' }));
    let answer: Promise<boolean> = Promise.resolve(true);
    act(() => void (answer = askConfirm()));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirm' });
    expect(dialog.textContent).toContain('Are you sure?');
    await visitor.keyboard('{Escape}');
    expect(await answer).toBe(false);
  });
});
