import { AsyncLocalStorage } from 'node:async_hooks';

/** A function is asked when somebody wants to know, which is seldom. */
type Owner = string | (() => string);

const underWay = new AsyncLocalStorage<{ owner: Owner }>();

/** Everything that `work` begins is for this owner. */
export const workFor = <Result>(owner: Owner, work: () => Result): Result => underWay.run({ owner }, work);

/** Says whom the work that is under way is for, once that is known better. */
export function workIsFor(owner: string): void {
  const work = underWay.getStore();
  if (work) work.owner = owner;
}

/** Whom the work that is under way is for; undefined where nobody waits for it. */
export function workOwner(): string | undefined {
  const owner = underWay.getStore()?.owner;
  return typeof owner === 'function' ? owner() : owner;
}
