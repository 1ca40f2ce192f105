/** Presses a button of the player bar, with everything that belongs to it: gates, price, undo. */
export function pressInPlayer(action: 'save' | 'download'): void {
  document.querySelector<HTMLButtonElement>(`.player [data-action=${action}]`)?.click();
}
