import type { Mail } from './mailer.js';

/** A mail without greeting and signature. A line that is an address becomes a link. */
export interface Letter {
  subject: string;
  lines: string[];
}

/** @param displayName undefined for an address without a name */
export function letter(
  { email, displayName }: { email: string; displayName?: string },
  { subject, lines }: Letter,
): Mail {
  const greeting = displayName === undefined ? 'Hello,' : `Hello ${mailName(displayName)},`;
  return {
    to: email,
    subject,
    text: [greeting, ...lines, 'Offcut'].join('\n\n'),
    links: lines.filter((line) => /^https?:\/\/\S+$/.test(line)),
  };
}

/**
 * Returns a name for a mail: on one line, without anything that a mail program turns into a link. A stranger who signs
 * up another person's address chooses this name.
 */
const mailName = (displayName: string): string =>
  displayName
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[/\\@:]+/gu, ' ')
    .replace(/[.。．｡]+(?=[^\s.])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
