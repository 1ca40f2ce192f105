/** The caller waited for the maximum time. The work that was started may still complete. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}
