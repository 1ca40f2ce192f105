import { AUDIO_KINDS, AUDIO_NAME } from './audio-kinds.js';

/** File kinds that are not accepted: their first bytes, their name in messages, and their usual extensions. */
const KINDS: readonly (readonly [pattern: RegExp, name: string, ...endings: string[]])[] = [
  [/^caff/, 'a CAF', 'caf'],
  [/^0&\xb2u/, 'a Windows Media', 'wma', 'wmv', 'asf'],
  [/^riff/, 'a Wave64', 'w64'],
  [/^\.snd/, 'an AU', 'au', 'snd'],
  [/^RIFF....AVI /s, 'an AVI', 'avi'],
  [/^....ftypqt/s, 'a QuickTime', 'mov', 'qt'],
  [/^[^ -~]E\xdf\xa3/, 'a Matroska or WebM', 'mkv', 'mka', 'webm'],
  [/^MThd/, 'a MIDI', 'mid', 'midi'],
  [/^PK[^ -~]{2}/, 'a ZIP', 'zip'],
  [/^%PDF/, 'a PDF', 'pdf'],
  [/^\x89PNG/, 'a PNG', 'png'],
  [/^\xff\xd8\xff/, 'a JPEG', 'jpg', 'jpeg'],
];
const TAKEN = /^(?:(?:RIFF|RF64|BW64)....WAVE|FORM....AIF[FC]|fLaC|OggS|ID3|\xff[\xe2-\xff]|....ftyp)/s;

export const KIND_HEAD_BYTES = 72;

/** `taken`: an accepted kind, which the decoder may still refuse. `other`: a known kind that is not accepted. */
export function kindOf(head: Uint8Array): 'taken' | 'other' | undefined {
  const text = latin1(head);
  if (KINDS.some(([pattern]) => pattern.test(text))) return 'other';
  return TAKEN.test(text) ? 'taken' : undefined;
}

/** Returns the message for a file whose kind is not accepted. */
export function refusalOfKind(head: Uint8Array, filename: string): string {
  const text = latin1(head);
  const [, name, ...endings]: readonly unknown[] = KINDS.find(([pattern]) => pattern.test(text)) ?? [];
  const ending = endingOf(filename);
  const named = ending && !endings.includes(ending) ? ` named .${ending}` : '';
  const what = typeof name === 'string' ? `This is ${name} file${named}.` : 'This audio file cannot be read.';
  return `${what} Please upload ${AUDIO_KINDS} files.`;
}

/** Returns why the content cannot be uploaded. The name counts only if the content is not recognised. */
export function refusalOfContent(head: Uint8Array, filename: string): string | undefined {
  const kind = kindOf(head);
  const isSent = kind === 'taken' || (kind === undefined && AUDIO_NAME.test(filename));
  return isSent ? undefined : refusalOfKind(head, filename);
}

/** Returns the name with the extension of its format, so that the buyer's system opens it with the right program. */
export const namedAs = (filename: string, format: string): string =>
  endingOf(filename) === format ? filename : `${filename.replace(/\.[a-z0-9]{1,4}$/i, '')}.${format}`;

const endingOf = (filename: string): string | undefined =>
  /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase();
const latin1 = (head: Uint8Array): string => String.fromCharCode(...head.subarray(0, KIND_HEAD_BYTES));
