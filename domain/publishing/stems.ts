import { accept, reject, type Decision } from '../shared/decision.js';

export interface StemsEntry {
  name: string;
  unpackedBytes: number;
  isEncrypted: boolean;
  isLink: boolean;
}

/** `detail` names the faulty file and the fault. */
export type StemsRefused = { code: 'StemsRefused'; detail: string };

export const STEMS_LIMIT_FILES = 128;
const STEMS_LIMIT_UNPACKED_BYTES = 2 * 1024 ** 3;
/** The highest allowed ratio of unpacked to packed size. Audio shrinks to about half, long silence to a twentieth. */
const STEMS_LIMIT_RATIO = 50;
const NAME_MAX_LENGTH = 200;

const AUDIO = /\.(wav|aif|aiff|aifc|flac|ogg|oga|opus|mp3|m4a|aac)$/i;
/** Files that the macOS Finder adds to archives. A file `._x` has the attributes of the file `x`. */
const MACOS_FILE = /^(__MACOSX\/(.+\/)?\._[^/]+|(.+\/)?\.DS_Store)$/;
/** Control characters, and characters that reverse the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

export const isMacosFile = (name: string): boolean => MACOS_FILE.test(name);

/** Refuses archives that are unsafe for buyers. Allows only audio of limited size, with paths inside the folder. */
export function judgeStems(
  entries: readonly StemsEntry[],
  archiveBytes: number,
): Decision<never, StemsRefused> {
  const files = entries.filter(({ name }) => !name.endsWith('/'));
  for (const { name } of entries)
    if (!staysInside(name)) return refuse(`The name “${shown(name)}” is not safe`);
  for (const { name, isEncrypted, isLink } of files) {
    if (isEncrypted) return refuse(`“${shown(name)}” is encrypted`);
    if (isLink) return refuse(`“${shown(name)}” is a link`);
    if (!AUDIO.test(name) && !isMacosFile(name)) return refuse(`“${shown(name)}” is not an audio file`);
  }
  const names = new Set(files.map(({ name }) => name.toLowerCase()));
  if (names.size < files.length) return refuse('Two files have the same name');
  const stems = files.filter(({ name }) => !isMacosFile(name));
  if (stems.length === 0) return refuse('The archive contains no audio file');
  if (files.length > STEMS_LIMIT_FILES)
    return refuse(`The archive holds more than ${STEMS_LIMIT_FILES} files`);
  const unpackedBytes = files.reduce((total, file) => total + file.unpackedBytes, 0);
  if (unpackedBytes > STEMS_LIMIT_UNPACKED_BYTES) return refuse('The files are larger than 2 GiB together');
  if (unpackedBytes > archiveBytes * STEMS_LIMIT_RATIO)
    return refuse(`The files unpack to more than ${STEMS_LIMIT_RATIO} times the size of the archive`);
  return accept();
}

function staysInside(name: string): boolean {
  const segments = name.replace(/\/$/, '').split('/');
  return (
    name.length <= NAME_MAX_LENGTH &&
    !UNPRINTABLE.test(name) &&
    !/[\\:]/.test(name) &&
    segments.every(
      (segment) =>
        segment !== '' &&
        !/^\.{1,2}$/.test(segment) &&
        !/[. ]$/.test(segment) &&
        !WINDOWS_DEVICE.test(segment),
    )
  );
}

const refuse = (detail: string) => reject<StemsRefused>({ code: 'StemsRefused', detail });

const shown = (name: string): string =>
  name.replaceAll(new RegExp(UNPRINTABLE, 'gu'), '�').slice(0, NAME_MAX_LENGTH);
