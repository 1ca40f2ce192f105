const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable]';

/** Whether a key belongs to a field, so that it is no shortcut. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null;
