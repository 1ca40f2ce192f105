/**
 * Returns a name for a mail: on one line, without anything that a mail program turns into a link. A stranger who signs
 * up another person's address chooses this name.
 */
export const mailName = (displayName: string): string =>
  displayName
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[/\\@:]+/gu, ' ')
    .replace(/[.。．｡]+(?=[^\s.])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
