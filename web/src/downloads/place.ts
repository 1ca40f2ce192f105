/** Where the visitor pressed: some texts differ between lists, the pack page, Swipe and the library. */
export type DownloadPlace = 'list' | 'pack' | 'swipe' | 'creator' | 'library';
