import { askCollect, collectableSample } from '../collections/collect-request.js';
import { askSimilar } from '../samples/similar-request.js';
import { tryInWorkbench } from '../workbench/try-sound.js';
import { isTyping } from '../ui/forms/typing.js';
import { toast } from '../ui/overlays/toast.js';
import { auditionSettings, changeAudition, playsOriginal, setPlaysOriginal } from './audition.js';
import { SEEK_STEP_SECONDS } from './player-store.js';
import { player } from './player.js';

const CONTROLS =
  'button, summary, [role=tab], [role=slider], [role=option], [role^=menuitem], [role=dialog], [role=alertdialog]';
const LETTERS_TAKEN = '[role^=menu], [role=listbox], [role=dialog], [role=alertdialog]';

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(CONTROLS) !== null;

/**
 * Holding the X key for at least this long switches between the sound as recorded and the sound in the project until
 * release. A shorter press switches until the next press.
 */
const HELD_MS = 300;

/** Handles the keyboard shortcuts that work on every page, until the returned function is called. */
export function listenToKeys(showShortcuts: () => void, showCommands: () => void): () => void {
  let comparing: { since: number; before: boolean } | undefined;
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
    // In menus and lists, letters choose an entry. In dialogs, they must not act on the page below.
    const elsewhere = event.target instanceof Element && event.target.closest(LETTERS_TAKEN) !== null;
    if (event.key === '?') {
      showShortcuts();
    } else if ((event.key === 's' || event.key === 'd') && track && !elsewhere) {
      // If a row of a list has the focus, the list has already handled these keys.
      pressInPlayer(event.key === 's' ? 'save' : 'download');
    } else if (event.key === 'D' && event.shiftKey && !elsewhere) {
      document.querySelector<HTMLButtonElement>('[data-action=download-picked]')?.click();
    } else if (event.key === 'm' && track && !elsewhere) {
      askSimilar(track);
    } else if (event.key === 'w' && track?.previewUrl && !elsewhere) {
      void tryInWorkbench(track);
    } else if (event.key === 'x' && track && !elsewhere) {
      comparing = { since: event.timeStamp, before: playsOriginal() };
      setPlaysOriginal(!comparing.before);
    } else if (event.key === 'c' && track && !elsewhere) {
      void askCollect(collectableSample(track));
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
  const release = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'x' || !comparing) return;
    if (event.timeStamp - comparing.since >= HELD_MS) setPlaysOriginal(comparing.before);
    comparing = undefined;
  };
  document.addEventListener('keydown', press);
  document.addEventListener('keyup', release);
  return () => {
    document.removeEventListener('keydown', press);
    document.removeEventListener('keyup', release);
  };
}

/** Presses a button of the player bar, whose handler lets the visitor confirm the price or undo the action. */
export function pressInPlayer(action: 'save' | 'download'): void {
  document.querySelector<HTMLButtonElement>(`.player [data-action=${action}]`)?.click();
}
