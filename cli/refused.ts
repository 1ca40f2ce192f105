/** A mistake that people can correct: printed as a line without a stack. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
}
