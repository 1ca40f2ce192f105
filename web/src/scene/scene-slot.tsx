import { useEffect, useRef, useState } from 'react';
import { AnswerOverdue, within } from '../api/transport/time-limit.js';

const SCALE_MIN = 0.25;
const SCALE_MAX = 1;
const FPS_CHOICES = [15, 24, 30, 60, 120] as const;
export type Fps = (typeof FPS_CHOICES)[number];
export const INIT_TIMEOUT_MS = 15_000;

export const keptScale = (scale: number): number =>
  Number.isFinite(scale) ? Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale)) : SCALE_MAX;

/** The choice nearest to the wanted frame rate; the lower one if two are equally near. */
export function keptFps(fps: number): Fps {
  const wanted = Number.isNaN(fps) ? 60 : fps;
  return FPS_CHOICES.reduce((best, choice) =>
    Math.abs(choice - wanted) < Math.abs(best - wanted) ? choice : best,
  );
}

export type SceneFailure =
  | 'Resource not found'
  | 'Network error occurred'
  | 'Loading timeout'
  | 'Error loading scene';

class SceneError extends Error {
  constructor(readonly failure: SceneFailure) {
    super(failure);
    this.name = 'SceneError';
  }
}

/**
 * `x` is a share of the slot's width; `y` and `size` are shares of its height, and `speed` is such a share per second.
 * `angle` is in degrees, `ink` is a colour token.
 */
export interface Scene {
  pieces: { x: number; y: number; size: number; angle: number; speed: number; ink: string }[];
}

const isPiece = (piece: unknown): boolean =>
  typeof piece === 'object' &&
  piece !== null &&
  ['x', 'y', 'size', 'angle', 'speed'].every((name) =>
    Number.isFinite((piece as Record<string, unknown>)[name]),
  ) &&
  /^--[a-z0-9-]+$/.test(String((piece as Record<string, unknown>).ink));

async function loadScene(address: string, signal: AbortSignal): Promise<Scene> {
  const load = async (given: AbortSignal) => {
    const answer = await fetch(address, { signal: given }).catch(() => {
      throw new SceneError('Network error occurred');
    });
    if (answer.status === 404 || answer.status === 410) throw new SceneError('Resource not found');
    if (!answer.ok) throw new SceneError('Error loading scene');
    const scene = (await answer.json().catch(() => null)) as Partial<Scene> | null;
    if (!Array.isArray(scene?.pieces) || !scene.pieces.every(isPiece))
      throw new SceneError('Error loading scene');
    return { pieces: scene.pieces };
  };
  return within(INIT_TIMEOUT_MS, load, signal).catch((error: unknown) => {
    throw error instanceof AnswerOverdue ? new SceneError('Loading timeout') : error;
  });
}

type State =
  | { kind: 'loading' }
  | { kind: 'ready'; scene: Scene }
  | { kind: 'failed'; failure: SceneFailure };

const LOADING: State = { kind: 'loading' };

function useScene(address: string): State {
  const [loaded, setLoaded] = useState<{ address: string; state: State }>();
  useEffect(() => {
    const leaving = new AbortController();
    const setState = (state: State) => setLoaded({ address, state });
    loadScene(address, leaving.signal).then(
      (scene) => !leaving.signal.aborted && setState({ kind: 'ready', scene }),
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        const failure = error instanceof SceneError ? error.failure : 'Error loading scene';
        setState({ kind: 'failed', failure });
      },
    );
    return () => leaving.abort();
  }, [address]);
  return loaded?.address === address ? loaded.state : LOADING;
}

function draw(canvas: HTMLCanvasElement, scene: Scene, seconds: number): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const { width, height } = canvas;
  // A colour token may differ by theme, so the browser resolves it.
  const inkOf = (ink: string) => {
    canvas.style.color = `var(${ink})`;
    return getComputedStyle(canvas).color;
  };
  pen.clearRect(0, 0, width, height);
  for (const { x, y, size, angle, speed, ink } of scene.pieces) {
    const length = size * height;
    // All pieces slide along 45 degrees and re-enter on the other side.
    const way = speed * seconds * height;
    const at = (start: number, span: number) => ((((start + way) % span) + span) % span) - length;
    pen.save();
    pen.translate(at(x * width, width + 2 * length), at(y * height, height + 2 * length));
    pen.rotate((angle * Math.PI) / 180);
    pen.fillStyle = inkOf(ink);
    pen.beginPath();
    pen.moveTo(0, 0);
    pen.lineTo(length, 0);
    pen.lineTo(length, length);
    pen.closePath();
    pen.fill();
    pen.restore();
  }
}

/** Draws until the returned function is called. Draws only one frame for visitors who prefer reduced motion. */
function play(canvas: HTMLCanvasElement, scene: Scene, { scale, fps }: { scale: number; fps: number }) {
  const { clientWidth, clientHeight } = canvas;
  canvas.width = Math.max(1, Math.round(clientWidth * window.devicePixelRatio * scale));
  canvas.height = Math.max(1, Math.round(clientHeight * window.devicePixelRatio * scale));
  draw(canvas, scene, 0);
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return () => undefined;
  const started = performance.now();
  let last = started;
  let frame = requestAnimationFrame(function next(now) {
    frame = requestAnimationFrame(next);
    // Accepts a frame that comes a quarter of the frame time too early, because screens do not tick exactly.
    if (now - last < 750 / fps) return;
    last = now;
    draw(canvas, scene, (now - started) / 1_000);
  });
  return () => cancelAnimationFrame(frame);
}

/** @param scale canvas pixels per device pixel, clamped to 0.25–1 @param fps rounded to one of FPS_CHOICES */
export default function SceneSlot(props: {
  address: string;
  scale?: number;
  fps?: number;
  className?: string;
}) {
  const { address, className = '' } = props;
  const [scale, fps] = [keptScale(props.scale ?? 1), keptFps(props.fps ?? 60)];
  const canvas = useRef<HTMLCanvasElement>(null);
  const state = useScene(address);
  useEffect(() => {
    if (state.kind !== 'ready' || !canvas.current) return;
    return play(canvas.current, state.scene, { scale, fps });
  }, [state, scale, fps]);
  if (state.kind === 'failed') return <p className={`text-sm text-faint ${className}`}>{state.failure}</p>;
  return (
    <canvas
      ref={canvas}
      aria-hidden="true"
      data-scale={scale}
      data-fps={fps}
      className={`pointer-events-none ${className}`}
    />
  );
}
