/** Presses a button of the player bar, so that its whole flow runs: checks, price, undo. */
export function pressInPlayer(action: 'save' | 'download'): void {
  document.querySelector<HTMLButtonElement>(`.player [data-action=${action}]`)?.click();
}
