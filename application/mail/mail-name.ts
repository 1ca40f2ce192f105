/**
 * A person's name as a mail may begin with it: on one line, and nothing in it that a mail program would turn into a
 * link. Whoever signs up somebody else's address chooses the name that stands in the mail.
 */
export const mailName = (displayName: string): string =>
  displayName
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[/\\@:]+/gu, ' ')
    .replace(/[.。．｡]+(?=[^\s.])/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
