import type { KeyboardEvent } from 'react';

/**
 * The key names that browsers give to keys of an input method; Safari does so also for the key that ends the
 * composing.
 */
const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to a word that is being composed, as in Chinese, Japanese and Korean. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD;
