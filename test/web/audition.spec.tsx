import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { auditionSettings, changeAudition } from '../../web/src/player/audition.js';
import { fittingKeys } from '../../web/src/player/key-circle.js';
import { closeProjectPanel } from '../../web/src/project/panel-request.js';
import { circlePlaceOf as placeOf, keyAt } from '../../web/src/project/circle.js';
import { listenToKeys } from '../../web/src/player/keyboard.js';
import PlayerDock from '../../web/src/player/player-dock.js';
import { Player } from '../../web/src/player/player-store.js';
import { player } from '../../web/src/player/player.js';
import { currentProject, newProject, openProject, projectTempoOf } from '../../web/src/project/project.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import SimilarDialog from '../../web/src/samples/similar-dialog.js';
import { askSimilar, useSimilarRequest } from '../../web/src/samples/similar-request.js';
import CommandPalette from '../../web/src/shell/command-palette.js';
import { renderAt, sampleNamed } from './support/render.js';
import { StubServer } from './support/server.js';

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'GET /api/search/suggestions': {
      json: { items: [{ kind: 'pack', label: 'Rented Piano', href: '/pack/rented-piano/Wren_Abbott' }] },
    },
  });
  changeAudition({ playsOn: false });
  openProject(null);
});
afterEach(() => {
  act(() => player.close());
  act(() => askSimilar(null));
  cleanup();
});

describe('tempo match', () => {
  it('holds the tempo between 40 and 240, and remembers the project in this browser', () => {
    expect([Number.NaN, 3, 999, 92.456].map(projectTempoOf)).toEqual([120, 40, 240, 92.46]);
    openProject(newProject({ tempo: 500 }));
    expect(currentProject()?.tempo).toBe(240);
    expect(JSON.parse(localStorage.getItem('project') ?? '')).toEqual(currentProject());
  });

  it('sets the rate before it sounds, keeps the pitch, and follows a change while it plays', async () => {
    const audio = Object.assign(document.createElement('audio'), { playbackRate: 1 });
    Object.defineProperty(audio, 'readyState', { value: 4 });
    const tuning = { rate: 1.25, semitones: 0, seconds: 21, repeats: false, isPercussive: false };
    const own = new Player({
      createAudio: () => audio,
      showAlert: () => undefined,
      onHeard: () => undefined,
      tuningOf: () => tuning,
    });
    await own.play(sampleNamed('a'));
    expect([audio.playbackRate, audio.preservesPitch]).toEqual([1.25, true]);
    tuning.rate = 0.8;
    own.retune();
    expect(audio.playbackRate).toBe(0.8);
  });
});

describe('audition mode', () => {
  const list = ['a', 'b', 'c'].map((id) => sampleNamed(id, { previewUrl: id === 'b' ? null : `/${id}.mp3` }));
  const start = async (playsOn: boolean) => {
    const audio = document.createElement('audio');
    Object.defineProperty(audio, 'readyState', { value: 4 });
    const own = new Player({
      createAudio: () => audio,
      showAlert: () => undefined,
      onHeard: () => undefined,
      playsOn: () => playsOn,
    });
    await own.play(list[0] as (typeof list)[0], { queue: list });
    fireEvent(audio, new Event('ended'));
    return { own, audio };
  };

  it('plays on with the next sound that can be heard, and stops at the end of the list', async () => {
    const { own, audio } = await start(true);
    expect(own.getState().currentlyPlaying).toBe('c');
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    fireEvent(audio, new Event('ended'));
    expect(own.getState().currentlyPlaying).toBeNull();
  });

  it('[PLAY-03] does not when it is off', async () => {
    expect((await start(false)).own.getState().currentlyPlaying).toBeNull();
  });
});

describe('the circle of fifths', () => {
  it('places every spelling of a key', () => {
    expect(placeOf('C Major')).toEqual({ hour: 0, mode: 'Major' });
    expect(placeOf('A Minor')).toEqual({ hour: 0, mode: 'Minor' });
    expect(placeOf('Gb Major')).toEqual(placeOf('F# Major'));
    expect(placeOf('Cb Minor')).toEqual(placeOf('B Minor'));
    expect(placeOf('H Major')).toBeNull();
    for (const mode of ['Major', 'Minor'] as const)
      for (let hour = 0; hour < 12; hour += 1) expect(placeOf(keyAt({ hour, mode }))).toEqual({ hour, mode });
  });

  it('knows the keys that go together', () => {
    expect(fittingKeys('C Major')).toEqual(['A Minor', 'F Major', 'G Major']);
    expect(fittingKeys('F# Minor')).toEqual(['A Major', 'B Minor', 'C# Minor']);
    expect(fittingKeys('')).toEqual([]);
  });
});

describe('the player', () => {
  it('[WEB-902] adds no listeners of media queries while it plays', async () => {
    const { matchMedia } = window;
    let listeners = 0;
    window.matchMedia = (media) =>
      ({ ...matchMedia(media), addEventListener: () => void (listeners += 1) }) as MediaQueryList;
    const audio = document.createElement('audio');
    Object.defineProperty(audio, 'duration', { value: 20 });
    jest.spyOn(window, 'Audio').mockReturnValue(audio);
    renderAt('/discover', <PlayerDock />);
    await act(() => player.play(sampleNamed('a')));
    const before = listeners;
    for (let second = 1; second < 9; second += 1) {
      audio.currentTime = second;
      act(() => void audio.dispatchEvent(new Event('timeupdate')));
    }
    expect(listeners).toBe(before);
    window.matchMedia = matchMedia;
  });

  it('[PLAY-421] has audition mode, my tempo, and the keys that fit, with ways to more', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    renderAt('/discover', <PlayerDock />);
    await act(() => player.play(sampleNamed('a', { key: 'C Major', bpm: 100 })));
    const visitor = userEvent.setup();
    await visitor.click(screen.getByRole('button', { name: 'Audition: play on, tempo and key' }));
    const shownPanel = async () => within(await screen.findByRole('group', { name: 'Audition' }));
    const panel = await shownPanel();
    await visitor.click(panel.getByRole('checkbox', { name: /Audition mode/ }));
    expect(auditionSettings()).toEqual({ playsOn: true });
    act(() => openProject(newProject({ name: 'Last bus', tempo: 110, key: 'D Major' })));
    expect(panel.getByText('100 → 110 BPM (+10 %), 2 semitones up')).toBeTruthy();
    expect(panel.getByRole('button', { name: /^Last bus/ })).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Player' }).textContent).toContain('100 → 110 BPM');
    expect(panel.getByRole('img', { name: 'C Major on the circle of fifths' })).toBeTruthy();
    expect(panel.getByRole('link', { name: 'A Minor' }).getAttribute('href')).toBe('/search?key=A+Minor');
    await visitor.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Audition' })).toBeNull();
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Audition/);

    // The panel of the project takes the place of this one, and gives the focus back.
    await visitor.keyboard('{Enter}');
    await visitor.click((await shownPanel()).getByRole('button', { name: /^Last bus/ }));
    expect(screen.queryByRole('group', { name: 'Audition' })).toBeNull();
    expect(screen.getByRole('button', { name: /^Last bus/ }).getAttribute('aria-expanded')).toBe('true');
    act(() => closeProjectPanel({ leave: true }));
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Audition/);
    // The browser of these tests has no audio worklets.
    await waitFor(() =>
      expect(warn).toHaveBeenCalledWith(expect.stringContaining('pitch'), expect.any(Error)),
    );
    warn.mockRestore();
  });

  it('opens a sheet where the bar is narrow, with seeking, skipping and saving, that a press on a key leaves', async () => {
    const wide = window.matchMedia;
    window.matchMedia = (media) => ({ ...wide(media), matches: media.includes('1024px') });
    try {
      renderAt('/discover', <PlayerDock />);
      await act(() => player.play(sampleNamed('a', { title: 'Long take', key: 'C Major', bpm: 100 })));
      const visitor = userEvent.setup();
      await visitor.click(screen.getByRole('button', { name: 'Audition: play on, tempo and key' }));
      const sheet = within(await screen.findByRole('dialog', { name: 'Long take' }));
      fireEvent.change(sheet.getByLabelText('Position in the preview'), { target: { value: '7' } });
      expect(player.getState().currentTime).toBe(7);
      for (const name of ['Previous sound', 'Next sound', 'Save to library: Long take', 'Similar sounds'])
        expect(sheet.getByRole('button', { name })).toBeTruthy();
      await visitor.click(sheet.getByRole('checkbox', { name: /Audition mode/ }));
      expect(auditionSettings().playsOn).toBe(true);
      await visitor.click(sheet.getByRole('link', { name: 'A Minor' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    } finally {
      window.matchMedia = wide;
    }
  });
});

describe('similar sounds', () => {
  const other = sampleNamed('other', { title: 'Church organ' });
  function Host() {
    const sample = useSimilarRequest();
    return sample && <SimilarDialog sample={sample} onClose={() => askSimilar(null)} />;
  }

  it('are asked for from a row, and say why they are similar', async () => {
    server.on('GET /api/samples/:id/similar', {
      json: { items: [{ ...other, reasons: ['Same key', 'Also has Piano'] }] },
    });
    renderAt(
      '/discover',
      <>
        <SampleList samples={[sampleNamed('a')]} place="list" label="Rows" />
        <Host />
      </>,
    );
    await userEvent.setup().click(screen.getByRole('button', { name: /^Similar sounds/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Similar sounds' }));
    expect(await dialog.findByText('Church organ')).toBeTruthy();
    expect(dialog.getByText('Same key')).toBeTruthy();
    expect(dialog.getByText('Also has Piano')).toBeTruthy();
    expect(server.seen('GET /api/samples/a/similar')).toHaveLength(1);
    fireEvent.click(dialog.getByRole('button', { name: 'Play Church organ' }));
    expect(player.getState().track?.id).toBe('other');
  });
});

describe('the commands', () => {
  function Keys({ onCommands }: { onCommands: () => void }) {
    useEffect(() => listenToKeys(() => undefined, onCommands), [onCommands]);
    return null;
  }

  it('open with Ctrl or ⌘ and K, from a field too', () => {
    let opened = 0;
    renderAt(
      '/discover',
      <>
        <Keys onCommands={() => (opened += 1)} />
        <input aria-label="Field" />
      </>,
    );
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    fireEvent.keyDown(screen.getByLabelText('Field'), { key: 'K', metaKey: true });
    fireEvent.keyDown(document.body, { key: 'k' });
    expect(opened).toBe(2);
  });

  it('[WEB-901] ask for suggestions once the typing rests', async () => {
    renderAt('/discover', <CommandPalette onClose={() => undefined} showShortcuts={() => undefined} />);
    const field = await screen.findByRole('combobox', { name: 'Go to, search or act' });
    for (const value of ['re', 'ren', 'rent']) fireEvent.change(field, { target: { value } });
    await screen.findByRole('option', { name: /Rented Piano/ });
    const asked = server.seen('GET /api/search/suggestions').map(({ query }) => query.get('q'));
    expect(asked).toEqual(['rent']);
  });

  it('go to, search and act by keys alone', async () => {
    let closed = 0;
    const palette = () =>
      renderAt('/discover', <CommandPalette onClose={() => (closed += 1)} showShortcuts={() => undefined} />);
    const visitor = userEvent.setup();
    const { path } = palette();
    const field = await screen.findByRole('combobox', { name: 'Go to, search or act' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    await visitor.keyboard('coll');
    const option = (name: RegExp) => screen.getByRole('option', { name });
    expect(option(/Collections/).getAttribute('aria-selected')).toBe('true');
    await visitor.keyboard('{Enter}');
    expect(path()).toBe('/collections');
    expect(closed).toBeGreaterThan(0);
    cleanup();
    const again = palette();
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'));
    await visitor.keyboard('rented');
    expect(await screen.findByRole('option', { name: /Rented Piano/ })).toBeTruthy();
    await visitor.keyboard('{ArrowUp}{Enter}');
    expect(again.path()).toBe('/pack/rented-piano/Wren_Abbott');
    cleanup();
    palette();
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'));
    await visitor.keyboard('audition mode on{Enter}');
    expect(auditionSettings().playsOn).toBe(true);
  });
});
