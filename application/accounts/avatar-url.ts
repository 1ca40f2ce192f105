/** Where the browser finds an avatar; null when there is none. Keys end in the content-addressed file name. */
export const avatarUrl = (avatarKey: string | null): string | null =>
  avatarKey === null ? null : `/media/avatars/${avatarKey.slice(avatarKey.lastIndexOf('/') + 1)}`;
