import { type KeyboardEvent, useState, useEffect } from 'react';

const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to a word that is being composed, as in Chinese, Japanese and Korean. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD;

/** Handles the keys of a field above a list. The highlight stays with its name when the list is refreshed. */
export function useListKeys(names: readonly string[], on: { pick: (at: number) => void; close: () => void }) {
  const [active, setActive] = useState<string | null>(null);
  const at = active === null ? -1 : names.indexOf(active);
  const steer = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event)) {
      // Enter ends the composed word here; it must not also send the form.
      if (event.key === 'Enter') event.preventDefault();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step && names.length) {
      event.preventDefault();
      const next =
        at === -1 ? (step === 1 ? 0 : names.length - 1) : (at + step + names.length) % names.length;
      setActive(names[next] ?? null);
    } else if (event.key === 'Enter' && at >= 0) {
      event.preventDefault();
      on.pick(at);
    } else if (event.key === 'Escape') {
      if (names.length) on.close();
      else event.currentTarget.blur();
    }
  };
  return { at, steer, forget: () => setActive(null) };
}

/** "/" moves the focus to the search, except while the user types elsewhere. */
export function useSlashKey(search: () => void): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      search();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}
