/** How the fluid behaves; the names are those of webgl-fluid-enhanced. */
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
  // Posterising needs flat dye: these would bring gradients back.
  bloom: false,
  sunrays: false,
  backgroundColor: '#000000',
};

export type FluidSettings = typeof FLUID_SETTINGS;

/** Strength of a pure hue in a splash. */
export const COLOUR_SCALE = 0.3;
/** A press throws this many times the dye of a movement. */
export const BURST_STRENGTH = 10;
/** Texels of dye where textures cannot be filtered. */
export const UNFILTERED_DYE_RESOLUTION = 256;

/** @param linearFiltering whether half-float textures can be filtered linearly */
export function settingsFor({ linearFiltering }: { linearFiltering: boolean }): FluidSettings {
  if (linearFiltering) return FLUID_SETTINGS;
  return { ...FLUID_SETTINGS, dyeResolution: UNFILTERED_DYE_RESOLUTION, shading: false };
}

/** What this browser's WebGL can do; null where it has none. */
export function probeWebGl(canvas = document.createElement('canvas')): { linearFiltering: boolean } | null {
  const second = canvas.getContext('webgl2');
  const context = second ?? canvas.getContext('webgl');
  if (!context) return null;
  const linearFiltering =
    context.getExtension(second ? 'OES_texture_float_linear' : 'OES_texture_half_float_linear') !== null;
  // Browsers keep few contexts alive; this one has told what it had to.
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return { linearFiltering };
}
