/** The settings of the fluid, named as in webgl-fluid-enhanced. */
export const FLUID_SETTINGS = {
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
  // A filter reduces the dye to five greens; bloom and rays would add gradients.
  bloom: false,
  sunrays: false,
  backgroundColor: '#000000',
};

export type FluidSettings = typeof FLUID_SETTINGS;

export const COLOUR_SCALE = 0.3;
/** A press adds this many times the dye of a movement. */
export const BURST_STRENGTH = 10;

/** Names of drivers that render on the processor. Not every browser reveals the name of its driver. */
const SOFTWARE_RENDERERS = /swiftshader|llvmpipe|software|basic render/i;

export interface WebGlAbility {
  /** Whether the browser can filter floating-point textures linearly. */
  linearFiltering: boolean;
  /** Whether the processor renders instead of a graphics card, which is many times slower. */
  inSoftware: boolean;
}

/** The full settings, or coarse flat dye if textures cannot be filtered or rendering is slow. */
export function settingsFor({ linearFiltering, inSoftware }: WebGlAbility): FluidSettings {
  if (linearFiltering && !inSoftware) return FLUID_SETTINGS;
  return { ...FLUID_SETTINGS, dyeResolution: 256, shading: false };
}

/** The abilities of this browser's WebGL; null if it has none. */
export function probeWebGl(canvas = document.createElement('canvas')): WebGlAbility | null {
  const open = (attributes?: WebGLContextAttributes): WebGL2RenderingContext | WebGLRenderingContext | null =>
    (canvas.getContext('webgl2', attributes) as WebGL2RenderingContext | null) ??
    (canvas.getContext('webgl', attributes) as WebGLRenderingContext | null);
  const accelerated = open({ failIfMajorPerformanceCaveat: true });
  const context = accelerated ?? open();
  if (!context) return null;
  const second = 'texStorage2D' in context;
  const linearFiltering =
    context.getExtension(second ? 'OES_texture_float_linear' : 'OES_texture_half_float_linear') !== null;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const renderer = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  const inSoftware = accelerated === null || SOFTWARE_RENDERERS.test(renderer);
  // Releases the context, because browsers allow only a few at a time.
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return { linearFiltering, inSoftware };
}
