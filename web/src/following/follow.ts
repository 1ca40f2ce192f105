import { mutationOptions, useQuery } from '@tanstack/react-query';
import type { CreatorRef } from '../../../application/catalogue/contract.js';
import type { Following } from '../../../application/library/contract.js';
import { api, problemOf, query } from '../api/api.js';
import { invalidate, queryClient } from '../api/query-client.js';
import { useSession } from '../session/session.js';
import { toast } from '../ui/overlays/toast.js';

export type Followed = Pick<CreatorRef, 'id' | 'handle' | 'displayName' | 'avatarUrl'> | string;

interface Wish {
  /** A creator, or a tag. */
  subject: Followed;
  follows: boolean;
}

const FOLLOWING = query('GET /api/following');
const KEY = ['follow'];

const keyOf = (subject: Followed): string => (typeof subject === 'string' ? `tag ${subject}` : subject.id);

export const isFollowed = ({ creators, tags }: Following, subject: Followed): boolean =>
  typeof subject === 'string' ? tags.includes(subject) : creators.some(({ id }) => id === subject.id);

function changed(before: Following, { subject, follows }: Wish): Following {
  const key = keyOf(subject);
  const creators = before.creators.filter(({ id }) => id !== key);
  const tags = before.tags.filter((tag) => keyOf(tag) !== key);
  if (!follows) return { creators, tags };
  if (typeof subject === 'string') return { creators, tags: [subject, ...tags] };
  return { creators: [{ verified: false, aiTraining: false, ...subject }, ...creators], tags };
}

function send({ subject, follows }: Wish): Promise<unknown> {
  if (typeof subject === 'string') {
    const params = { tag: subject };
    return follows
      ? api('PUT /api/tags/:tag/follow', { params })
      : api('DELETE /api/tags/:tag/follow', { params });
  }
  const params = { handle: subject.handle };
  return follows
    ? api('PUT /api/creators/:handle/follow', { params })
    : api('DELETE /api/creators/:handle/follow', { params });
}

/** Changes what the visitor follows. `scope` sends the requests one after another, in the order of the presses. */
const following = mutationOptions({
  mutationKey: KEY,
  scope: { id: 'follow' },
  mutationFn: send,
  onMutate: async (wish: Wish) => {
    // Cancels a running fetch of the list, because its answer would undo the change on the screen.
    await queryClient.cancelQueries({ queryKey: FOLLOWING.queryKey });
    queryClient.setQueryData(FOLLOWING.queryKey, (before) => before && changed(before, wish));
  },
  onError: (error, wish) => {
    queryClient.setQueryData(
      FOLLOWING.queryKey,
      (now) => now && changed(now, { ...wish, follows: !wish.follows }),
    );
    const problem = problemOf('PUT /api/creators/:handle/follow', error);
    const description = problem
      ? 'You follow as many creators and tags as possible. Stop following one first.'
      : 'Please try again.';
    toast({ title: 'Not changed', description, tone: 'danger' });
  },
  onSettled: () => {
    // Refetches only after the last of several presses. An earlier refetch would hide the later changes for a moment.
    if (queryClient.isMutating({ mutationKey: KEY }) === 1)
      void invalidate('GET /api/following', 'GET /api/feed');
  },
});

/** Follows or leaves a creator or a tag. The screen shows the change at once, and undoes it if the request fails. */
export const follow = (wish: Wish): Promise<unknown> =>
  queryClient
    .getMutationCache()
    .build(queryClient, following)
    .execute(wish)
    .catch(() => undefined);

export function useFollowing() {
  const { status } = useSession();
  return useQuery({ ...FOLLOWING, enabled: status === 'signed-in' });
}
