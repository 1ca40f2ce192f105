import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { FluidBackground, type FluidPorts } from '../../web/src/screens/home/fluid/fluid-background.js';
import { FLUID_SETTINGS, probeWebGl, settingsFor } from '../../web/src/screens/home/fluid/fluid-settings.js';
import { type FluidSimulation, FluidSurface } from '../../web/src/screens/home/fluid/fluid-surface.js';

type Settings = Parameters<FluidSimulation['setConfig']>[0];

/** Stands for the simulation library and records its calls. */
class FakeSimulation implements FluidSimulation {
  settings: Settings = {};
  running = false;
  splats: { at: [number, number]; force: [number, number]; brightness: number; colour?: string }[] = [];
  setConfig(settings: Settings): void {
    this.settings = { ...this.settings, ...settings };
  }
  start(): void {
    this.running = true;
  }
  stop(): void {
    this.running = false;
  }
  splatAtLocation(x: number, y: number, forceX: number, forceY: number): void {
    const { brightness = 0, colorPalette } = this.settings;
    this.splats.push({ at: [x, y], force: [forceX, forceY], brightness, colour: colorPalette?.[0] });
  }
}

let simulation: FakeSimulation;
let warn: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  simulation = new FakeSimulation();
  HTMLCanvasElement.prototype.getContext = () => null;
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  document.body.innerHTML = `
    <main tabindex="-1"><p id="ground">Ground</p><button><span id="inside">Press</span></button>
    <a href="/">Link</a><input /><select></select><textarea></textarea>
    <div role="button">Role</div><div tabindex="0">Stop</div></main>`;
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
  warn.mockRestore();
});

const ground = () => document.getElementById('ground') as HTMLElement;

describe('the settings of the fluid', () => {
  it('[FLU-03] are the specified ones', () => {
    expect(settingsFor({ linearFiltering: true, inSoftware: false })).toMatchObject({
      simResolution: 128,
      dyeResolution: 1440,
      captureResolution: 512,
      densityDissipation: 3.5,
      velocityDissipation: 2,
      pressure: 0.1,
      pressureIterations: 20,
      curl: 3,
      splatRadius: 0.2,
      splatForce: 6000,
      shading: true,
      colorUpdateSpeed: 10,
    });
  });

  it.each([
    { linearFiltering: false, inSoftware: false },
    { linearFiltering: true, inSoftware: true },
  ])('[FLU-04] fall to 256 texels of dye without shading with %j', (able) => {
    expect(settingsFor(able)).toEqual({
      ...FLUID_SETTINGS,
      dyeResolution: 256,
      shading: false,
    });
  });

  it('[FLU-04] asks the browser for the filtering of its own kind of WebGL', () => {
    const canvas = (kind: string, extensions: readonly string[], { inSoftware = false } = {}) =>
      ({
        getContext: (asked: string, options?: WebGLContextAttributes) =>
          asked === kind && !(inSoftware && options?.failIfMajorPerformanceCaveat)
            ? {
                ...(kind === 'webgl2' && { texStorage2D: () => undefined }),
                getExtension: (name: string) => (extensions.includes(name) ? {} : null),
              }
            : null,
      }) as unknown as HTMLCanvasElement;
    const [full, half] = ['OES_texture_float_linear', 'OES_texture_half_float_linear'];
    const fast = { inSoftware: false };
    expect(probeWebGl(canvas('webgl2', [full]))).toEqual({ linearFiltering: true, ...fast });
    expect(probeWebGl(canvas('webgl2', [half]))).toEqual({ linearFiltering: false, ...fast });
    expect(probeWebGl(canvas('webgl', [half]))).toEqual({ linearFiltering: true, ...fast });
    expect(probeWebGl(canvas('webgl2', [full], { inSoftware: true }))).toEqual({
      linearFiltering: true,
      inSoftware: true,
    });
    expect(probeWebGl(canvas('none', []))).toBeNull();
  });
});

describe('stirring', () => {
  let surface: FluidSurface;
  beforeEach(() => {
    surface = new FluidSurface(simulation, FLUID_SETTINGS, () => 0.75);
  });
  afterEach(() => surface.dispose());

  it('[FLU-02] a press adds a burst where it is', () => {
    fireEvent.mouseDown(ground(), { clientX: 120, clientY: 80 });
    expect(simulation.splats).toEqual([
      { at: [120, 80], force: [2.5, 7.5], brightness: expect.closeTo(2), colour: '#0000ff' },
    ]);
  });

  it('[FLU-02, FLU-04] a movement leaves dye of a hue scaled to 0.3, pushed along with it', () => {
    fireEvent.mouseMove(ground(), { clientX: 100, clientY: 100 });
    expect(simulation.splats).toEqual([]);
    fireEvent.mouseMove(ground(), { clientX: 100 + window.innerWidth / 4, clientY: 100 });
    const [splat] = simulation.splats;
    expect(splat?.force).toEqual([1500, 0]);
    // The library multiplies by 0.15, and by 10 for a splash at a place.
    expect((splat?.brightness ?? 0) * 1.5).toBeCloseTo(0.3);
  });

  it('[FLU-02] a touch adds a burst, and a drag of that finger follows it', () => {
    const finger = (clientX: number) => ({
      changedTouches: [{ identifier: 3, clientX, clientY: 50 }] as unknown as Touch[],
    });
    fireEvent.touchStart(ground(), finger(10));
    fireEvent.touchMove(ground(), finger(40));
    expect(simulation.splats.map(({ at }) => at)).toEqual([
      [10, 50],
      [40, 50],
    ]);
    expect(simulation.splats[1]?.force[0]).toBeGreaterThan(0);
    fireEvent.touchEnd(ground(), finger(40));
    fireEvent.touchMove(ground(), finger(70));
    expect(simulation.splats).toHaveLength(2);
  });

  it.each(['#inside', 'a', 'input', 'select', 'textarea', '[role=button]', '[tabindex="0"]'])(
    '[FLU-02] nothing happens on %s',
    (selector) => {
      const control = document.querySelector(selector) as HTMLElement;
      fireEvent.mouseMove(ground(), { clientX: 1, clientY: 1 });
      fireEvent.mouseMove(control, { clientX: 60, clientY: 60 });
      fireEvent.mouseDown(control, { clientX: 60, clientY: 60 });
      fireEvent.touchStart(control, { changedTouches: [{ identifier: 1, clientX: 6, clientY: 6 }] });
      expect(simulation.splats).toEqual([]);
      expect(simulation.running).toBe(false);
    },
  );

  it('[FLU-03] changes its hue ten times a second', () => {
    surface.dispose();
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const rolls = [0, 0.2, 0.4, 0.6, 0.8];
    surface = new FluidSurface(simulation, FLUID_SETTINGS, () => rolls.shift() ?? 0);
    const move = (clientX: number, ms: number) => {
      now.mockReturnValue(ms);
      fireEvent.mouseMove(ground(), { clientX, clientY: 5 });
    };
    [0, 1, 99, 101, 150].forEach((ms, step) => move(step * 10 + 1, ms));
    const [first, second, third, fourth] = simulation.splats.map(({ colour }) => colour);
    expect([second, fourth]).toEqual([first, third]);
    expect(third).not.toBe(first);
    now.mockRestore();
  });

  it.each([
    ['stays off on', 14, false],
    ['goes on on', 15, true],
  ])('%s a device that draws %i frames in the first second', (_, frames, running) => {
    jest.useFakeTimers();
    const waiting: FrameRequestCallback[] = [];
    const draw = jest.spyOn(window, 'requestAnimationFrame').mockImplementation((act) => waiting.push(act));
    fireEvent.mouseDown(ground(), { clientX: 1, clientY: 1 });
    for (let frame = 0; frame < frames; frame += 1) waiting.shift()?.(0);
    jest.advanceTimersByTime(1_000);
    fireEvent.mouseDown(ground(), { clientX: 9, clientY: 9 });
    expect(simulation.running).toBe(running);
    draw.mockRestore();
  });

  it('computes only while dye moves', () => {
    jest.useFakeTimers();
    fireEvent.mouseDown(ground(), { clientX: 1, clientY: 1 });
    expect(simulation.running).toBe(true);
    jest.advanceTimersByTime(6_000);
    expect(simulation.running).toBe(false);
    surface.dispose();
    fireEvent.mouseDown(ground(), { clientX: 1, clientY: 1 });
    expect(simulation.running).toBe(false);
  });
});

describe('the background', () => {
  const show = async (ports: Partial<FluidPorts>) => {
    jest.useFakeTimers();
    const load = jest.fn<FluidPorts['load']>((container) => {
      container.append(document.createElement('canvas'));
      return Promise.resolve(simulation);
    });
    const all: FluidPorts = { probe: () => ({ linearFiltering: true, inSoftware: false }), load, ...ports };
    const { container, unmount } = render(<FluidBackground ports={all} />);
    const early = load.mock.calls.length;
    await act(() => jest.advanceTimersByTimeAsync(10_000));
    return { container, load, early, unmount };
  };

  it('[FLU-01] comes when the page rests, and goes with it', async () => {
    const { container, load, early, unmount } = await show({});
    expect([early, load.mock.calls.length]).toEqual([0, 1]);
    expect(container.querySelector('.fluid canvas')).toBeTruthy();
    expect(simulation.settings).toMatchObject(FLUID_SETTINGS);
    fireEvent.mouseDown(document.body, { clientX: 1, clientY: 1 });
    expect(simulation.running).toBe(true);
    unmount();
    expect(simulation.running).toBe(false);
  });

  it('[FLU-420] leaves no canvas when the page is left while the library loads', async () => {
    let arrive: () => void = () => undefined;
    let box: HTMLElement | undefined;
    const { unmount } = await show({
      load: (container) =>
        new Promise((resolve) => {
          box = container;
          arrive = () => {
            container.append(document.createElement('canvas'));
            resolve(simulation);
          };
        }),
    });
    unmount();
    await act(async () => arrive());
    expect(box?.querySelector('canvas')).toBeNull();
  });

  it('draws a sixteenth of the pixels, enlarged, where the processor has to', async () => {
    const { container } = await show({ probe: () => ({ linearFiltering: true, inSoftware: true }) });
    const { width, transform } = (container.querySelector('.fluid > div') as HTMLElement).style;
    expect([width, transform]).toEqual(['25%', 'scale(4)']);
    fireEvent.mouseDown(document.body, { clientX: 400, clientY: 200 });
    expect(simulation.splats[0]?.at).toEqual([100, 50]);
  });

  it('[FLU-01] draws nothing and warns where WebGL is missing', async () => {
    const { container, load } = await show({ probe: () => null });
    expect(load).not.toHaveBeenCalled();
    expect(container.querySelector('canvas')).toBeNull();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('WebGL'));
  });

  it('is absent where motion is not wanted', async () => {
    const before = window.matchMedia;
    window.matchMedia = (media) => ({ media, matches: true }) as MediaQueryList;
    const { load } = await show({});
    expect(load).not.toHaveBeenCalled();
    window.matchMedia = before;
  });
});
