const HANDLE_MAX_LENGTH = 60;

/** What a name becomes in addresses and folders: everything that is neither letter nor digit turns into `_`. */
export const defaultHandle = (displayName: string): string =>
  [...displayName.normalize('NFC').trim()]
    .slice(0, HANDLE_MAX_LENGTH)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '_') || '_';

/** Handles to try in turn: the plain one, then `-2`, `-3`, … */
export function* handleCandidates(displayName: string): Generator<string, never> {
  const plain = defaultHandle(displayName);
  yield plain;
  for (let number = 2; ; number++) yield `${plain}-${number}`;
}

/** How handles are told apart: `Lo_Fi` and `lo_fi` are one. */
export const foldHandle = (handle: string): string => handle.normalize('NFC').toLowerCase();
