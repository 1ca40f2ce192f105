/**
 * A person's name in a mail: on one line, and without anything that a mail program would turn into a link. A
 * stranger who signs up somebody else's address chooses the name in that mail.
 */
export const mailName = (displayName: string): string =>
  displayName
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[/\\@:]+/gu, ' ')
    .replace(/[.。．｡]+(?=[^\s.])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
