/** A mistake that the user can correct. It is printed as a line without a stack. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
}
