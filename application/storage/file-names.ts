/** Control characters, marks that change the writing direction, and characters that file systems refuse. */
const NOT_IN_FILE_NAMES = /[\p{Cc}\p{Bidi_Control}<>:"/\\|?*]+/gu;
const LONGEST = 150;

/** Returns one path segment, without anything that file systems refuse, hide or truncate. */
export function safeName(text: string): string {
  const name = text.replaceAll(NOT_IN_FILE_NAMES, ' ').replaceAll(/\s+/g, ' ').trim();
  return (
    [...name]
      .slice(0, LONGEST)
      .join('')
      .replace(/^\.+/, '')
      .replace(/[. ]+$/, '') || 'Untitled'
  );
}

/** Returns `Creator - Title.wav`, without characters that file systems refuse. */
export function downloadName({
  creatorName,
  title,
  format,
}: {
  creatorName: string;
  title: string;
  format: string;
}): string {
  return `${safeName(`${creatorName} - ${title}`)}.${format}`;
}

/** Returns the names, numbered where a case-insensitive file system would treat two as equal. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const [, stem = name, extension = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? [];
    let free = name;
    for (let n = 2; taken.has(keyOf(free)); n += 1) free = `${stem} (${n})${extension}`;
    taken.add(keyOf(free));
    return free;
  });
}

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();
