import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useEffect } from 'react';
import { FakeAudio } from './support/fake-audio.js';
import { renderAt, sampleNamed } from './support/render.js';
import { StubServer } from './support/server.js';

/** Stands in for the worklet, which jsdom does not have. */
class FakeTuned extends FakeAudio {
  semitones: number | undefined;
  tune(tuning: { semitones: number } | undefined): void {
    this.semitones = tuning?.semitones;
  }
  prepare(): void {}
  abandon(): void {}
}
let open: () => Promise<FakeTuned>;
jest.unstable_mockModule('../../web/src/player/stretch/open.js', () => ({
  openStretchedAudio: () => open(),
}));
const { player } = await import('../../web/src/player/player.js');
const { setPlaysOriginal } = await import('../../web/src/player/audition.js');
const { listenToKeys } = await import('../../web/src/player/keyboard.js');
const { openProject, newProject } = await import('../../web/src/project/project.js');
const { default: PlayerDock } = await import('../../web/src/player/player-dock.js');

const vibes = sampleNamed('vibes', { title: 'Vibes, borrowed', bpm: 104, key: 'A Minor', durationMs: 4_615 });
const PROJECT = { ...newProject({ tempo: 90 }), key: 'C Minor' } as const;

function Keys() {
  useEffect(
    () =>
      listenToKeys(
        () => undefined,
        () => undefined,
      ),
    [],
  );
  return null;
}

let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  new StubServer({});
});
afterEach(() => {
  act(() => {
    player.close();
    openProject(null);
    setPlaysOriginal(false);
  });
  cleanup();
  warn.mockRestore();
});

const show = async (sample = vibes, project: Parameters<typeof openProject>[0] = PROJECT) => {
  act(() => openProject(project));
  renderAt(
    '/discover',
    <>
      <Keys />
      <PlayerDock />
    </>,
  );
  await act(() => player.play(sample));
  return within(screen.getByRole('region', { name: 'Player' }));
};
const text = () => screen.getByRole('region', { name: 'Player' }).textContent ?? '';
/** A press of X that lasts some milliseconds. */
const pressX = (heldMs: number) => {
  const keyed = (type: string, timeStamp: number) =>
    Object.defineProperty(new KeyboardEvent(type, { key: 'x', bubbles: true }), 'timeStamp', {
      value: timeStamp,
    });
  fireEvent(document.body, keyed('keydown', 1_000));
  const during = text();
  fireEvent(document.body, keyed('keyup', 1_000 + heldMs));
  return during;
};

describe('a browser that cannot transpose', () => {
  it('[PLAY-703] says so beside the tempo, and leaves the key as it is', async () => {
    open = () => Promise.reject(new Error('no worklets'));
    const bar = await show();
    expect(text()).toContain('104 → 90 BPM');
    expect(text()).not.toContain('→ C min');
    expect(bar.getByRole('status').textContent).toBe('Only the tempo is yours');
  });
});

describe('what the player shows in a project', () => {
  const tuned = new FakeTuned();
  beforeEach(() => {
    open = () => Promise.resolve(tuned);
  });

  it('[PLAY-704] is the tempo and key of the sample, those that are heard, and the change', async () => {
    await show();
    for (const part of ['104 → 90 BPM', '−13 %', 'A min → C min', '+3 st']) expect(text()).toContain(part);
    expect(screen.queryByText('Only the tempo is yours')).toBeNull();
  });

  it.each([
    [{ bpm: 90, key: 'Eb Major' }, ['90 BPM', 'Eb maj'], false],
    [{ bpm: 178, key: null }, ['178 → 180 BPM', '+1 %', 'No key'], true],
    [{ bpm: 0, key: 'D Minor' }, ['D min → C min', '−2 st'], true],
  ])('[PLAY-704] for %j it is %j', async (facts, parts, isChanged) => {
    const bar = await show({ ...vibes, ...facts });
    for (const part of parts) expect(text()).toContain(part);
    expect(bar.queryByRole('button', { name: /original/ }) !== null).toBe(isChanged);
  });

  it('[PLAY-705] swaps when X is pressed, and goes back when X was held', async () => {
    const bar = await show();
    expect(pressX(80)).toContain('90 → 104 BPM');
    expect(text()).toContain('C min → A min');
    expect(tuned.semitones).toBe(0);
    const button = bar.getByRole('button', { name: /original/ });
    expect(button.getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(button);
    expect(text()).toContain('104 → 90 BPM');
    expect(tuned.semitones).toBe(3);
    expect(pressX(900)).toContain('90 → 104 BPM');
    expect(text()).toContain('104 → 90 BPM');
  });
});
