/**
 * The screen of the download: some texts differ between lists, the pack page, Swipe, the library and the pack editor.
 */
export type DownloadPlace = 'list' | 'pack' | 'swipe' | 'creator' | 'library' | 'editor';
