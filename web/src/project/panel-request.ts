import { held } from '../held.js';

/** The start of the fragment in links to projects. */
export const PROJECT_LINK = '#project?';

/** Null while the panel "My project" is closed. `opener` can get the focus back when the panel closes. */
const request = held<{ opener: HTMLElement | null } | null>(null);

export const useProjectPanel = request.use;

export function openProjectPanel(): void {
  const { activeElement } = document;
  request.set({ opener: activeElement instanceof HTMLElement ? activeElement : null });
}

/** @param leave whether the focus returns to the element that opened the panel */
export function closeProjectPanel({ leave = false } = {}): void {
  const before = request.get();
  request.set(null);
  if (leave) before?.opener?.focus();
}

export function toggleProjectPanel(): void {
  if (request.get()) closeProjectPanel();
  else openProjectPanel();
}
