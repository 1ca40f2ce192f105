/** Something people can put right: a line without a stack. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
}
