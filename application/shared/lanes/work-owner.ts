import { AsyncLocalStorage } from 'node:async_hooks';

const underWay = new AsyncLocalStorage<{ owner: string }>();

/** Everything that `work` begins is for this owner. */
export const workFor = <Result>(owner: string, work: () => Result): Result => underWay.run({ owner }, work);

/** Says whom the work that is under way is for, once that is known better. */
export function workIsFor(owner: string): void {
  const work = underWay.getStore();
  if (work) work.owner = owner;
}

/** Whom the work that is under way is for; undefined where nobody waits for it. */
export const workOwner = (): string | undefined => underWay.getStore()?.owner;
