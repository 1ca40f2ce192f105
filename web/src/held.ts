import { useSyncExternalStore } from 'react';

/** Holds state of the open page that the server does not know, such as which dialog is open. */
export function held<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  /** Calls the listener on every change until the returned function is called. */
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get,
    subscribe,
    set(next: Value): void {
      value = next;
      listeners.forEach((listener) => listener());
    },
    /** A hook for the current value. On the server and during hydration it returns the initial value. */
    use: (): Value => useSyncExternalStore(subscribe, get, () => initial),
  };
}
