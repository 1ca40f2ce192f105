import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react';
import { useBackCloses } from './back.js';

/**
 * Closes a popup on Back, on a press outside its box, and on Escape. `leave` closes the popup and returns the focus to
 * its button.
 */
export function usePopup(open: boolean, close: () => void) {
  const box = useRef<HTMLDivElement>(null);
  useBackCloses(open, close);
  const pressed = useEffectEvent(({ target }: PointerEvent) => {
    if (!box.current?.contains(target as Node)) close();
  });
  useEffect(() => {
    if (!open) return;
    const press = (event: PointerEvent) => pressed(event);
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, [open]);
  const leave = () => {
    close();
    box.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    leave();
  };
  return { box, leave, onKeyDown };
}
