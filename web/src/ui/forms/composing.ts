import type { KeyboardEvent } from 'react';

/** What browsers name keys that an input method takes; Safari does so also for the one that ends the composing. */
const TAKEN_BY_INPUT_METHOD = 229;

/** Whether a key belongs to a word that is being composed, as Chinese, Japanese and Korean are typed. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD;
