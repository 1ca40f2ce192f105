const HANDLE_MAX_LENGTH = 60;

/** Returns a name as used in addresses and folders: each character that is neither letter nor digit becomes `_`. */
export const defaultHandle = (displayName: string): string =>
  [...displayName.normalize('NFC').trim()]
    .slice(0, HANDLE_MAX_LENGTH)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '_') || '_';

/** Yields handles to try in turn: the plain one, then `-2`, `-3`, … */
export function* handleCandidates(displayName: string): Generator<string, never> {
  const plain = defaultHandle(displayName);
  yield plain;
  for (let number = 2; ; number++) yield `${plain}-${number}`;
}

/** Returns the form in which handles are compared: `Lo_Fi` and `lo_fi` are the same. */
export const foldHandle = (handle: string): string => handle.normalize('NFC').toLowerCase();
