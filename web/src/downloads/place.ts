/** Where the visitor pressed: some texts differ between lists, the pack page, Swipe, the library and the pack editor. */
export type DownloadPlace = 'list' | 'pack' | 'swipe' | 'creator' | 'library' | 'editor';
