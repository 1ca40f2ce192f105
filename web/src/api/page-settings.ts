let known: string | undefined;

/** Sets the playlist on the server, which has no page to read it from. */
export function setPlaylistUrl(url: string | undefined): void {
  known = url;
}

/** The playlist that the site's operator has named in the page's head. */
export function playlistUrl(): string | undefined {
  if (typeof document === 'undefined') return known;
  return document.querySelector<HTMLMetaElement>('meta[name=offcut-playlist]')?.content;
}

let media: string | undefined;

/** Sets the origin of media on the server, which has no page to read it from. */
export function setMediaBase(url: string | undefined): void {
  media = url ?? '';
}

/** The address of the CDN that previews and pictures are fetched from; empty: this site. */
export function mediaBase(): string {
  media ??= document.querySelector<HTMLMetaElement>('meta[name=offcut-media]')?.content ?? '';
  return media;
}

/** Whether sign-in through Google is configured; without it, the button would lead nowhere. */
export function offersGoogle(): boolean {
  return (
    typeof document !== 'undefined' &&
    document.querySelector<HTMLMetaElement>('meta[name=offcut-sign-in]')?.content === 'google'
  );
}
