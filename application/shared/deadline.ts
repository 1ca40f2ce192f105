/** Somebody waited as long as anybody waits. What was begun for them may still be done. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}
