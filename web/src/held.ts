import { useSyncExternalStore } from 'react';

/** State of this page that no server knows of, such as the open dialog. */
export function held<Value>(initial: Value) {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  /** Calls back on every change until the returned function is called. */
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
    /** The value now; renders again whenever it changes. Pages drawn by the server have the initial one. */
    use: (): Value => useSyncExternalStore(subscribe, get, () => initial),
  };
}
