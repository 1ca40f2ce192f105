import { type Delivery, type TrayEntry, track } from './tray.js';

/** A file counts as lost if no byte arrives for this long. */
export const SILENCE_LIMIT_MS = 30_000;
const REVOKE_AFTER_MS = 60_000;

/** The file did not arrive, and a direct link would not fetch it either. */
class NoFile extends Error {}

/** Makes the browser download a URL. Browsers allow at most ten such downloads in a second. */
export function press(address: string, filename: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.rel = 'noopener';
  document.body.append(link);
  link.click();
  link.remove();
}

/** Called while a file arrives. @param of the size of the file */
type Arriving = (bytes: number, of: number) => void;

/**
 * Fetches by XMLHttpRequest, because browsers then write the blob to disk while it grows. Private windows of Chromium
 * keep it in memory.
 * @throws NoFile
 * @throws TypeError if a direct link may still fetch the file
 */
function fetchBlob(address: string, arriving: Arriving): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout> | undefined;
    let begun = false;
    const listen = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        reject(new NoFile('The file stopped coming.'));
        request.abort();
      }, SILENCE_LIMIT_MS);
    };
    request.open('GET', address);
    request.responseType = 'blob';
    request.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      begun = true;
      listen();
      if (lengthComputable) arriving(loaded, total);
    });
    request.addEventListener('loadend', () => clearTimeout(silence));
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as Blob);
      else reject(new NoFile('The server has no file.'));
    });
    request.addEventListener('error', () =>
      reject(begun ? new NoFile('The connection broke off.') : new TypeError('No answer may be read.')),
    );
    listen();
    request.send();
  });
}

/**
 * Saves a file for the visitor. If the page cannot read the file, the browser fetches it by a direct link, or in a new
 * tab if it cannot download by a link.
 */
async function deliver(
  { url, filename }: { url: string; filename: string },
  arriving: Arriving,
): Promise<Delivery> {
  try {
    const address = URL.createObjectURL(await fetchBlob(url, arriving));
    press(address, filename);
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
    return 'saved';
  } catch (error) {
    if (error instanceof NoFile) return 'failed';
  }
  if ('download' in HTMLAnchorElement.prototype) press(url, filename);
  else window.open(url, '_blank', 'noopener');
  return 'handed';
}

/** Saves a single file for the visitor, with its progress in the tray. @returns false if the file did not arrive */
export async function deliverInTray(
  download: { url: string; filename: string },
  entry: Pick<TrayEntry, 'title' | 'again'> & { note?: string },
): Promise<boolean> {
  const change = track({ ...entry, state: 'downloading' });
  const state = await deliver(download, (bytes, of) => change({ progress: { bytes, of } }));
  change({ state, progress: undefined });
  return state !== 'failed';
}

export function saveAs(name: string, content: string | Blob, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  press(address, name);
  URL.revokeObjectURL(address);
}
