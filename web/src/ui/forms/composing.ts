import type { KeyboardEvent } from 'react';

/**
 * The key code that browsers report for keys of an input method. Safari also reports it for the key that ends the
 * composition.
 */
const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to a word that is being composed, as in Chinese, Japanese and Korean. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD;
