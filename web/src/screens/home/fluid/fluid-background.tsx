import { useEffect, useRef } from 'react';
import { type FluidSettings, type WebGlAbility, probeWebGl, settingsFor } from './fluid-settings.js';
import { type FluidSimulation, FluidSurface } from './fluid-surface.js';

/** The simulation waits this long after the page is drawn, because the content matters more. */
const REST_MS = 2_000;
const SOFTWARE_SCALE = 0.25;

/** The WebGL probe, and the loader of the drawing library. Tests replace both. */
export interface FluidPorts {
  probe: () => WebGlAbility | null;
  load: (container: HTMLElement) => Promise<FluidSimulation>;
}

const BROWSER: FluidPorts = {
  probe: () => probeWebGl(),
  load: async (container) => {
    const { default: Simulation } = await import('webgl-fluid-enhanced');
    return new Simulation(container);
  },
};

/** Calls back after `REST_MS`, once the browser is idle. The returned function cancels the call. */
function whenIdle(act: () => void): () => void {
  let idle = 0;
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) idle = requestIdleCallback(act, { timeout: 4_000 });
    else act();
  }, REST_MS);
  return () => {
    clearTimeout(timer);
    if (idle) cancelIdleCallback(idle);
  };
}

async function startSurface(container: HTMLElement, ports: FluidPorts, stale: () => boolean) {
  const able = ports.probe();
  if (!able) {
    console.warn('The fluid background needs WebGL, which this browser does not offer.');
    return null;
  }
  const settings: FluidSettings = settingsFor(able);
  // Without a graphics card, the processor draws a sixteenth of the pixels, enlarged.
  const scale = able.inSoftware ? SOFTWARE_SCALE : 1;
  container.style.cssText = `width:${100 * scale}%;height:${100 * scale}%;transform:scale(${1 / scale})`;
  const simulation = await ports.load(container);
  if (!stale()) return new FluidSurface(simulation, settings, Math.random, scale);
  // The visitor left the page while the library was loading.
  letGo(container);
  return null;
}

/** Frees the graphics at once, so that remaining work on a slow processor does not delay the next page. */
function letGo(container: HTMLElement | null): void {
  const canvas = container?.querySelector('canvas');
  canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  canvas?.remove();
}

/** Simulated dye behind the page, which mouse and touch stir. Hidden from visitors who prefer reduced motion. */
export function FluidBackground({ ports = BROWSER }: { ports?: FluidPorts }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const box = container.current;
    let surface: FluidSurface | null = null;
    let stale = false;
    const callOff = whenIdle(() => {
      if (!box) return;
      void startSurface(box, ports, () => stale)
        .then((started) => (surface = started))
        .catch((error: unknown) => console.warn('The fluid background could not start.', error));
    });
    return () => {
      stale = true;
      callOff();
      surface?.dispose();
      letGo(box);
    };
  }, [ports]);
  return (
    <div className="fluid pointer-events-none fixed inset-0 z-20" aria-hidden="true">
      <svg width="0" height="0" className="absolute">
        <filter id="fluid-greens" colorInterpolationFilters="sRGB">
          <feColorMatrix values="1 1 1 0 0  1 1 1 0 0  1 1 1 0 0  0 0 0 1 0" />
          <feComponentTransfer>
            <feFuncR type="discrete" tableValues="0 .063 .078 .094 .106 .122" />
            <feFuncG type="discrete" tableValues="0 .122 .157 .192 .224 .259" />
            <feFuncB type="discrete" tableValues="0 .102 .133 .161 .188 .216" />
          </feComponentTransfer>
        </filter>
      </svg>
      <div ref={container} className="size-full origin-top-left [filter:url(#fluid-greens)]" />
    </div>
  );
}
