/** Address of an avatar for browsers. Keys end in the content-addressed file name. */
export const avatarUrl = (avatarKey: string): string =>
  `/media/avatars/${avatarKey.slice(avatarKey.lastIndexOf('/') + 1)}`;
