import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import SceneSlot, { INIT_TIMEOUT_MS, keptFps, keptScale } from '../../web/src/scene/scene-slot.js';

const SCENE = { pieces: [{ x: 0.1, y: 0.2, size: 0.3, angle: 0, speed: 0.05, ink: '--mark' }] };
// jsdom has no canvas.
HTMLCanvasElement.prototype.getContext = (() => null) as never;

const answering = (status: number, json: unknown) => {
  globalThis.fetch = (() =>
    Promise.resolve({
      ok: status < 300,
      status,
      json: () => (json === undefined ? Promise.reject(new SyntaxError('not JSON')) : Promise.resolve(json)),
    })) as never;
};

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

describe('the scene slot', () => {
  it.each([
    [0.1, 0.25],
    [0.25, 0.25],
    [0.6, 0.6],
    [1, 1],
    [3, 1],
    [Number.NaN, 1],
  ])('[SCN-01] keeps a scale of %p at %p', (given, kept) => expect(keptScale(given)).toBe(kept));

  it.each([
    [15, 15],
    [24, 24],
    [30, 30],
    [60, 60],
    [120, 120],
    [0, 15],
    [25, 24],
    [45, 30],
    [90, 60],
    [1_000, 120],
    [Number.NaN, 60],
  ])('[SCN-01] takes %p frames a second for %p', (given, kept) => expect(keptFps(given)).toBe(kept));

  it('[SCN-01] draws with the scale and the frames that it may have', async () => {
    answering(200, SCENE);
    const { container } = render(<SceneSlot address="/scenes/offcuts.json" scale={9} fps={50} />);
    await act(() => Promise.resolve());
    const canvas = container.querySelector('canvas');
    expect([canvas?.dataset.scale, canvas?.dataset.fps, canvas?.getAttribute('aria-hidden')]).toEqual([
      '1',
      '60',
      'true',
    ]);
  });

  it.each([
    ['Resource not found', 404, {}],
    ['Error loading scene', 500, {}],
    ['Error loading scene', 200, undefined],
    ['Error loading scene', 200, null],
    ['Error loading scene', 200, { pieces: [{ x: 'left' }] }],
  ])('[SCN-02] says "%s" for %p with %j', async (text, status, json) => {
    answering(status, json);
    render(<SceneSlot address="/scenes/x.json" />);
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('[SCN-02] says "Network error occurred" without a connection', async () => {
    globalThis.fetch = (() => Promise.reject(new TypeError('Failed to fetch'))) as never;
    render(<SceneSlot address="/scenes/x.json" />);
    expect(await screen.findByText('Network error occurred')).toBeDefined();
  });

  it('[SCN-02] gives up after 15 s with "Loading timeout"', async () => {
    jest.useFakeTimers();
    globalThis.fetch = ((_: string, { signal }: RequestInit) =>
      new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      )) as never;
    render(<SceneSlot address="/scenes/x.json" />);
    await act(() => jest.advanceTimersByTimeAsync(INIT_TIMEOUT_MS - 1));
    expect(screen.queryByText('Loading timeout')).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(1));
    expect(screen.getByText('Loading timeout')).toBeDefined();
    expect(INIT_TIMEOUT_MS).toBe(15_000);
  });
});
