import { fetchWithin } from '../api/transport/time-limit.js';

const REVOKE_AFTER_MS = 60_000;

/** The server answered, but not with the file. */
class NoFile extends Error {}

/** Has the browser fetch an address as a file. It takes no more than ten of these in a second. */
export function press(address: string, filename: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.rel = 'noopener';
  document.body.append(link);
  link.click();
  link.remove();
}

async function saveBlob({ url, filename }: { url: string; filename: string }): Promise<void> {
  const response = await fetchWithin(url, { credentials: 'same-origin' });
  if (!response.ok) throw new NoFile();
  const address = URL.createObjectURL(await response.blob());
  press(address, filename);
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}

/**
 * Brings a file to the visitor's disk: as a blob, else by a direct link, else in a new tab.
 * @returns false when all three failed
 */
export async function deliver(file: { url: string; filename: string }): Promise<boolean> {
  try {
    await saveBlob(file);
    return true;
  } catch (error) {
    // If the file is missing, a link would not find it either.
    if (error instanceof NoFile) return false;
  }
  try {
    if ('download' in HTMLAnchorElement.prototype) {
      press(file.url, file.filename);
      return true;
    }
  } catch {
    // The new tab is left.
  }
  return window.open(file.url, '_blank', 'noopener') !== null;
}
