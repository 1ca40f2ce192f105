import { AsyncLocalStorage } from 'node:async_hooks';

/** The user or address that work is for. A function is called only when a queue needs it, which is rare. */
type Owner = string | (() => string);

const underWay = new AsyncLocalStorage<{ owner: Owner }>();

/** Runs `work`, and makes this owner the owner of everything that it starts. */
export const workFor = <Result>(owner: Owner, work: () => Result): Result => underWay.run({ owner }, work);

/** Replaces the owner of the current work, for example the address by the signed-in user. */
export function workIsFor(owner: string): void {
  const work = underWay.getStore();
  if (work) work.owner = owner;
}

/** Returns the user or address that the current work is for; undefined for background work. */
export function workOwner(): string | undefined {
  const owner = underWay.getStore()?.owner;
  return typeof owner === 'function' ? owner() : owner;
}
