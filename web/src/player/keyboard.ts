import { askSimilar } from '../samples/similar-request.js';
import { toast } from '../ui/overlays/toast.js';
import { auditionSettings, changeAudition } from './audition.js';
import { SEEK_STEP_SECONDS } from './player-store.js';
import { player } from './player.js';

const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]';
const CONTROLS =
  'button, summary, [role=tab], [role=slider], [role=option], [role^=menuitem], [role=dialog], [role=alertdialog]';
const LETTERS_TAKEN = '[role^=menu], [role=listbox], [role=dialog], [role=alertdialog]';

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null;

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(CONTROLS) !== null;

/** Handles the keyboard shortcuts that work on every page, until the returned function is called. */
export function listenToKeys(showShortcuts: () => void, showCommands: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      showCommands();
      return;
    }
    if (event.defaultPrevented || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const { track, currentTime } = player.getState();
    if (event.repeat && !event.key.startsWith('Arrow')) {
      // A key that is held down acts once, and must not scroll the page.
      if (event.key === ' ' && track && !isControl(event.target)) event.preventDefault();
      return;
    }
    // Menus and lists use letters to choose an entry.
    const elsewhere = event.target instanceof Element && event.target.closest(LETTERS_TAKEN) !== null;
    if (event.key === '?') {
      showShortcuts();
    } else if ((event.key === 's' || event.key === 'd') && track && !elsewhere) {
      // A list handles these keys for its focused row first.
      pressInPlayer(event.key === 's' ? 'save' : 'download');
    } else if (event.key === 'm' && track && !elsewhere) {
      askSimilar(track);
    } else if (event.key === 'a' && !elsewhere) {
      const playsOn = !auditionSettings().playsOn;
      changeAudition({ playsOn });
      toast({ title: playsOn ? 'Audition mode on' : 'Audition mode off' });
    } else if (event.key === ' ' && track && !isControl(event.target)) {
      event.preventDefault();
      player.toggle();
    } else if (/^Arrow(Left|Right)$/.test(event.key) && track && !isControl(event.target)) {
      event.preventDefault();
      player.seek(currentTime + (event.key === 'ArrowLeft' ? -SEEK_STEP_SECONDS : SEEK_STEP_SECONDS));
    }
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

/** Presses a button of the player bar, because its handler asks for the price and offers to undo. */
export function pressInPlayer(action: 'save' | 'download'): void {
  document.querySelector<HTMLButtonElement>(`.player [data-action=${action}]`)?.click();
}
