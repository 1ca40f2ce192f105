/** Larger project files are refused without reading them. */
export const FILE_LIMIT_BYTES = 64 * 2 ** 20;
/** Reading stops when a compressed file expands beyond this. */
export const EXPANDED_LIMIT_BYTES = 256 * 2 ** 20;

/** A file that is refused. The message is for the visitor. */
export class FileRefused extends Error {}
