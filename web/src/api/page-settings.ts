/** A setting of the operator, which the server writes into the page's head; undefined while the server renders. */
export const inHead = (name: string): string | undefined =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>(`meta[name=offcut-${name}]`)?.content;

let playlist: string | undefined;
let media: string | undefined;

export const setPlaylistUrl = (url: string | undefined): void => void (playlist = url);

export const playlistUrl = (): string | undefined => inHead('playlist') ?? playlist;

export const setMediaBase = (url: string | undefined): void => void (media = url ?? '');

/** The address of the CDN for previews and pictures; empty if this site serves them. */
export const mediaBase = (): string => (media ??= inHead('media') ?? '');

/**
 * The versions of the legal texts that new accounts accept. `asks` is present if existing users are asked to accept new
 * versions. It is absent while the operator has only templates of the texts.
 */
export const legalVersions = (): { terms?: string; privacy?: string; asks?: string } =>
  Object.fromEntries(new URLSearchParams(inHead('legal')));

/** Whether the operator has configured sign-in through Google. */
export const offersGoogle = (): boolean => inHead('sign-in') === 'google';
