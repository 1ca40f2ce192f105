import { AsyncLocalStorage } from 'node:async_hooks';

/** A function is called only when the owner is needed, which is rare. */
type Owner = string | (() => string);

const underWay = new AsyncLocalStorage<{ owner: Owner }>();

/** Runs `work` and assigns everything that it starts to this owner. */
export const workFor = <Result>(owner: Owner, work: () => Result): Result => underWay.run({ owner }, work);

/** Changes the owner of the current work, once a better name is known. */
export function workIsFor(owner: string): void {
  const work = underWay.getStore();
  if (work) work.owner = owner;
}

/** Returns the owner of the current work, or undefined if it has none. */
export function workOwner(): string | undefined {
  const owner = underWay.getStore()?.owner;
  return typeof owner === 'function' ? owner() : owner;
}
