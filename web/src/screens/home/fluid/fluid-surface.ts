import { BURST_STRENGTH, COLOUR_SCALE, type FluidSettings } from './fluid-settings.js';

/** The part of webgl-fluid-enhanced that we use. */
export interface FluidSimulation {
  setConfig(settings: Partial<FluidSettings> & { colorPalette?: string[]; brightness?: number }): void;
  start(): void;
  stop(): void;
  /** @param x device pixels from the left @param y CSS pixels from the top, as the library measures them */
  splatAtLocation(x: number, y: number, forceX: number, forceY: number): void;
}

const INTERACTIVE = 'a, button, input, select, textarea, label, summary, [role=button], [tabindex]';
/**
 * The library multiplies every colour by 0.15, and the colour of a splash at a point by another 10. Dividing the
 * brightness by this factor undoes both.
 */
const LIBRARY_SCALE = 0.15 * 10;
/** The dye has faded this long after the last movement, so the simulation stops. */
const STILL_AFTER_MS = 6_000;
/** The animation stops on a machine that draws fewer than `TRIAL_FRAMES` frames in this time. */
const TRIAL_MS = 1_000;
const TRIAL_FRAMES = 15;
const HUES = ['#ff0000', '#ffff00', '#00ff00', '#00ffff', '#0000ff', '#ff00ff'];

/** Whether an element is a control or inside one. `main` can have the focus, but is no control. */
function isInteractive(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(INTERACTIVE)?.matches('main') === false;
}

interface Place {
  x: number;
  y: number;
}

/**
 * Turns presses and movements in the window, except on controls, into
 * splashes. The simulation runs only while dye moves.
 */
export class FluidSurface {
  private running = false;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private trial: ReturnType<typeof setTimeout> | undefined;
  private mouse: Place | null = null;
  private readonly touches = new Map<number, Place>();
  private colouredAtMs = Number.NEGATIVE_INFINITY;
  private readonly events = new AbortController();

  constructor(
    private readonly simulation: FluidSimulation,
    private readonly settings: FluidSettings,
    private readonly random: () => number = Math.random,
    /** The width of the canvas as a share of the page, before it is enlarged. */
    private readonly scale = 1,
  ) {
    simulation.setConfig(settings);
    const on = { signal: this.events.signal, passive: true };
    window.addEventListener('mousedown', (event) => this.press(event.target, at(event)), on);
    window.addEventListener('mousemove', (event) => this.moveMouse(event), on);
    window.addEventListener('touchstart', (event) => this.touch(event), on);
    window.addEventListener('touchmove', (event) => this.drag(event), on);
    window.addEventListener('touchend', (event) => this.lift(event), on);
    window.addEventListener('touchcancel', (event) => this.lift(event), on);
  }

  dispose(): void {
    this.events.abort();
    clearTimeout(this.rest);
    clearTimeout(this.trial);
    if (this.running) this.simulation.stop();
    this.running = false;
  }

  /** Stops the animation if the machine cannot keep up: the page matters more than its background. */
  private tryOut(): void {
    let frames = 0;
    const count = () => {
      frames += 1;
      if (frames < TRIAL_FRAMES) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    this.trial = setTimeout(() => {
      if (frames >= TRIAL_FRAMES || document.hidden) return;
      console.warn('The fluid background is too slow on this device and stays off.');
      this.dispose();
    }, TRIAL_MS);
  }

  private press(target: EventTarget | null, place: Place): void {
    if (isInteractive(target)) return;
    const force = { x: 10 * (this.random() - 0.5), y: 30 * (this.random() - 0.5) };
    this.splash(place, force, COLOUR_SCALE * BURST_STRENGTH);
  }

  private moveMouse(event: MouseEvent): void {
    const place = at(event);
    const before = this.mouse;
    this.mouse = place;
    if (before && !isInteractive(event.target)) this.follow(before, place);
  }

  private touch(event: TouchEvent): void {
    for (const touch of event.changedTouches) {
      this.touches.set(touch.identifier, at(touch));
      this.press(event.target, at(touch));
    }
  }

  private drag(event: TouchEvent): void {
    for (const touch of event.changedTouches) {
      const before = this.touches.get(touch.identifier);
      this.touches.set(touch.identifier, at(touch));
      if (before && !isInteractive(event.target)) this.follow(before, at(touch));
    }
  }

  private lift(event: TouchEvent): void {
    for (const touch of event.changedTouches) this.touches.delete(touch.identifier);
  }

  /**
   * Pushes the dye. Movements are measured in shares of the window's longer side, so that they push equally in every
   * direction.
   */
  private follow(before: Place, place: Place): void {
    const longer = Math.max(window.innerWidth, window.innerHeight) || 1;
    const x = ((place.x - before.x) / longer) * this.settings.splatForce;
    const y = ((before.y - place.y) / longer) * this.settings.splatForce;
    if (x || y) this.splash(place, { x, y }, COLOUR_SCALE);
  }

  private splash(place: Place, force: Place, strength: number): void {
    this.wake();
    this.simulation.setConfig({ brightness: strength / LIBRARY_SCALE, ...this.nextColour() });
    const x = place.x * this.scale * (window.devicePixelRatio || 1);
    this.simulation.splatAtLocation(x, place.y * this.scale, force.x, force.y);
  }

  /** Changes the hue at most as often per second as the settings allow. */
  private nextColour(): { colorPalette?: string[] } {
    const nowMs = performance.now();
    if (nowMs - this.colouredAtMs < 1_000 / this.settings.colorUpdateSpeed) return {};
    this.colouredAtMs = nowMs;
    return { colorPalette: [HUES[Math.floor(this.random() * HUES.length)] ?? '#00ff00'] };
  }

  private wake(): void {
    if (!this.trial) this.tryOut();
    if (!this.running) this.simulation.start();
    this.running = true;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.simulation.stop();
      this.running = false;
    }, STILL_AFTER_MS);
  }
}

function at({ clientX, clientY }: { clientX: number; clientY: number }): Place {
  return { x: clientX, y: clientY };
}
