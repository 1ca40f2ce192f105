/** What one part of the page tells all the others. */
export interface AppEvents {
  /** A sample was saved or removed; `undone` when the server refused. */
  'saved-changed': { itemId: string; saved: boolean };
  /** Drop the cached packs; listening pages reload. */
  'packs-invalidated': undefined;
  'downloads-changed': { sampleIds: readonly string[] };
  'credits-changed': undefined;
  'avatar-updated': undefined;
}

type Listener<Name extends keyof AppEvents> = (detail: AppEvents[Name]) => void;

const target = new EventTarget();

/** Tells everybody who listens. */
export function sendAppEvent<Name extends keyof AppEvents>(name: Name, detail: AppEvents[Name]): void {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Listens until the returned function is called. */
export function onAppEvent<Name extends keyof AppEvents>(name: Name, listener: Listener<Name>): () => void {
  const handle = (event: Event) => listener((event as CustomEvent<AppEvents[Name]>).detail);
  target.addEventListener(name, handle);
  return () => target.removeEventListener(name, handle);
}
