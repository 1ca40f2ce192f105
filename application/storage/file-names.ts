/** Control characters, marks that turn the writing direction, and what file systems refuse. */
const NOT_IN_FILE_NAMES = /[\p{Cc}\p{Bidi_Control}<>:"/\\|?*]+/gu;
const LONGEST = 150;

/** One segment of a path, without what file systems refuse, hide or cut off. */
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

/** `Creator - Title.wav`, without what file systems refuse. */
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

/** The same names, numbered if file systems that ignore case would take two of them for one. */
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
