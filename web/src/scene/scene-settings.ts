export const SCALE_MIN = 0.25;
export const SCALE_MAX = 1;
export const FPS_CHOICES = [15, 24, 30, 60, 120] as const;
export type Fps = (typeof FPS_CHOICES)[number];
export const INIT_TIMEOUT_MS = 15_000;

/** Device pixels per CSS pixel of a scene, clamped to its bounds. */
export function keptScale(scale: number): number {
  return Number.isFinite(scale) ? Math.min(SCALE_MAX, Math.max(SCALE_MIN, scale)) : SCALE_MAX;
}

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

export class SceneError extends Error {
  constructor(readonly failure: SceneFailure) {
    super(failure);
    this.name = 'SceneError';
  }
}

/**
 * Pieces that drift over the mat. Lengths are shares of the slot's height, speeds are shares per second, angles are
 * in degrees.
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

/** Loads a scene; gives up after 15 s. @throws SceneError */
export async function loadScene(address: string, signal: AbortSignal): Promise<Scene> {
  const given = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    given.abort();
  }, INIT_TIMEOUT_MS);
  const giveUp = () => given.abort();
  signal.addEventListener('abort', giveUp);
  try {
    const answer = await fetch(address, { signal: given.signal }).catch(() => {
      throw new SceneError(late ? 'Loading timeout' : 'Network error occurred');
    });
    if (answer.status === 404 || answer.status === 410) throw new SceneError('Resource not found');
    if (!answer.ok) throw new SceneError('Error loading scene');
    const scene = (await answer.json().catch(() => {
      throw new SceneError(late ? 'Loading timeout' : 'Error loading scene');
    })) as Partial<Scene> | null;
    if (!Array.isArray(scene?.pieces) || !scene.pieces.every(isPiece))
      throw new SceneError('Error loading scene');
    return { pieces: scene.pieces };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}
