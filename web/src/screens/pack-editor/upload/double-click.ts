import type { MouseEvent } from 'react';

/**
 * A capture handler that stops the second click of a double click. After the first click, another file or button may
 * be under the pointer.
 */
export const ignoreSecondClick = (event: MouseEvent): void => {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
};
