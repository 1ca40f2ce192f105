/** A setting of the site's operator in the page's head; undefined on the server, which has no page. */
export const inHead = (name: string): string | undefined =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>(`meta[name=offcut-${name}]`)?.content;

let playlist: string | undefined;
let media: string | undefined;

export const setPlaylistUrl = (url: string | undefined): void => void (playlist = url);

export const playlistUrl = (): string | undefined => inHead('playlist') ?? playlist;

export const setMediaBase = (url: string | undefined): void => void (media = url ?? '');

/** The address of the CDN that previews and pictures are fetched from; empty: this site. */
export const mediaBase = (): string => (media ??= inHead('media') ?? '');

/** Whether sign-in through Google is configured; without it, the button would lead nowhere. */
export const offersGoogle = (): boolean => inHead('sign-in') === 'google';
