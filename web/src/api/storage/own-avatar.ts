import { useQuery } from '@tanstack/react-query';
import type { User } from '../../../../application/accounts/contract.js';
import type { StorageItem } from '../../../../application/storage/contract.js';
import { api, queryKeyOf } from '../api.js';

const NUMBERED = /^avatar-(\d{1,9})\.(?:png|jpe?g|webp|gif)$/;

type StoredFile = Pick<StorageItem, 'name' | 'updated_at' | 'publicUrl'>;

/** The address of the file with the highest number in its name. Of two with the same number, the newer one counts. */
export function latestAvatar(files: readonly StoredFile[]): string | null {
  const numbered = files.flatMap((file) => {
    const number = NUMBERED.exec(file.name)?.[1];
    return number && file.publicUrl
      ? [{ number: Number(number), at: file.updated_at ?? '', url: file.publicUrl }]
      : [];
  });
  numbered.sort((a, b) => b.number - a.number || b.at.localeCompare(a.at));
  return numbered[0]?.url ?? null;
}

/** The address of the picture in the creator's profile, or else of the latest picture in the profile's folder. */
async function findAvatar(signal: AbortSignal): Promise<string | null> {
  try {
    const { avatarUrl, username } = await api('GET /api/creator/profile', { signal });
    if (avatarUrl) return avatarUrl;
    // The storage client loads on demand, because few creators need it.
    const { storage } = await import('./storage.js');
    return latestAvatar(await storage.list(`Users/${username}/Profile`, { search: 'avatar-', signal }));
  } catch (error) {
    console.warn('The avatar could not be looked up; showing initials instead.', error);
    return null;
  }
}

/** The address of the picture in the account. For a creator without one, `findAvatar` looks for another. */
export function useOwnAvatar(user: User): string | null {
  const { data } = useQuery({
    queryKey: [...queryKeyOf('GET /api/creator/profile'), 'avatar', user.id],
    queryFn: ({ signal }) => findAvatar(signal),
    enabled: user.isCreator && !user.avatarUrl,
    staleTime: 30 * 60_000,
  });
  return user.avatarUrl ?? data ?? null;
}
