// Replaced in the plain form: controls, non-ASCII, `"` and `\`, which need escaping, and `%`, which clients may decode.
// eslint-disable-next-line no-control-regex
const PLAIN_UNSAFE = /[^\x20-\x7e]|["\\%]/g;

/**
 * Returns the header that makes a browser save a file under this name (RFC 6266): a plain form for old clients, and the
 * true name in UTF-8. Path separators are replaced, because the name must not contain a folder.
 */
export function attachmentDisposition(name: string): string {
  const fileName = name.replace(/[/\\\p{Cc}\p{Cf}\p{Cs}]+/gu, '_') || 'download';
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fileName.replace(PLAIN_UNSAFE, '_')}"; filename*=UTF-8''${encoded}`;
}
