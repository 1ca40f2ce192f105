import { openChannel } from './channel.js';

/** What one part of the page tells all the others. */
export interface AppEvents {
  /** A sample was saved or removed; `undone` when the server refused. */
  'saved-changed': { itemId: string; saved: boolean };
  /** Drop the cached packs; listening pages reload. */
  'packs-invalidated': undefined;
  'downloads-changed': { sampleIds: readonly string[] };
  'credits-changed': undefined;
  /** The plan is another one, or stands otherwise; its credits may have come. */
  'plan-changed': undefined;
  'avatar-updated': undefined;
}

type Listener<Name extends keyof AppEvents> = (detail: AppEvents[Name]) => void;

const target = new EventTarget();
// What the visitor has is the same in every tab.
const SHARED: readonly (keyof AppEvents)[] = [
  'saved-changed',
  'downloads-changed',
  'credits-changed',
  'plan-changed',
];
const channel = openChannel('offcut-events');

function dispatch<Name extends keyof AppEvents>(name: Name, detail: AppEvents[Name]): void {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Passes on what other tabs tell, until the returned function is called. */
export function hearOtherTabs(): () => void {
  const hear = ({ data }: MessageEvent<{ name: keyof AppEvents; detail: never }>) =>
    dispatch(data.name, data.detail);
  channel?.addEventListener('message', hear);
  return () => channel?.removeEventListener('message', hear);
}

/** Tells everybody who listens; other tabs too, of what is theirs as well. */
export function sendAppEvent<Name extends keyof AppEvents>(name: Name, detail: AppEvents[Name]): void {
  dispatch(name, detail);
  if (SHARED.includes(name)) channel?.postMessage({ name, detail });
}

/** Listens until the returned function is called. */
export function onAppEvent<Name extends keyof AppEvents>(name: Name, listener: Listener<Name>): () => void {
  const handle = (event: Event) => listener((event as CustomEvent<AppEvents[Name]>).detail);
  target.addEventListener(name, handle);
  return () => target.removeEventListener(name, handle);
}
