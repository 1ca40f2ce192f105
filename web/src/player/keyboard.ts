import { SEEK_STEP_SECONDS } from './player-store.js';
import { player } from './player.js';

const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]';
/** Where Space and the arrows already mean something. */
const CONTROLS =
  'button, summary, [role=tab], [role=slider], [role=option], [role^=menuitem], [role=dialog], [role=alertdialog]';

/** Whether the visitor is typing, so that no key may be taken over. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(CONTROLS) !== null;
}

/** Keys that work anywhere: space plays and pauses, the arrows seek, `?` lists the keys. */
export function listenToKeys(showShortcuts: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const { track, currentTime } = player.getState();
    if (event.key === '?') {
      showShortcuts();
    } else if (event.key === ' ' && track && !isControl(event.target)) {
      event.preventDefault();
      player.toggle();
    } else if (event.key === 'ArrowRight' && track && !isControl(event.target)) {
      event.preventDefault();
      player.seek(currentTime + SEEK_STEP_SECONDS);
    } else if (event.key === 'ArrowLeft' && track && !isControl(event.target)) {
      event.preventDefault();
      player.seek(currentTime - SEEK_STEP_SECONDS);
    }
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}
