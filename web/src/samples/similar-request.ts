import { useSyncExternalStore } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';

let asked: Sample | null = null;
const listeners = new Set<() => void>();

/** Shows what sounds like a sample; null closes it. */
export function askSimilar(sample: Sample | null): void {
  asked = sample;
  listeners.forEach((listener) => listener());
}

/** The sample whose like is asked for. */
export function useSimilarRequest(): Sample | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
    () => null,
  );
}
