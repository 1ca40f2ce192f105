/** A file counts as lost if no byte arrives for this long. */
export const SILENCE_LIMIT_MS = 30_000;
const REVOKE_AFTER_MS = 60_000;

/** `saved`: complete. `failed`: the file did not arrive. `handed`: the browser fetches it; the outcome is unknown. */
export type Delivery = 'saved' | 'handed' | 'failed';

/** The file did not arrive, and a download link would not fetch it either. */
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

/** Fetches by XMLHttpRequest, because browsers then write the blob to disk while it grows. @throws NoFile */
function fetchBlob(address: string): Promise<Blob> {
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
    request.addEventListener('progress', () => {
      begun = true;
      listen();
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

/** Saves a file for the visitor: as a blob, else through a direct link, else in a new tab. */
export async function deliver({ url, filename }: { url: string; filename: string }): Promise<Delivery> {
  try {
    const address = URL.createObjectURL(await fetchBlob(url));
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

export function saveAs(name: string, content: string | Blob, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  press(address, name);
  URL.revokeObjectURL(address);
}
