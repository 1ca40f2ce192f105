import { Check, Plus } from 'lucide-react';
import type { CreatorRef } from '../../../application/catalogue/contract.js';
import { askToSignIn } from '../session/after-sign-in.js';
import { isSignedIn, useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { follow, isFollowed, useFollowing } from './follow.js';

/** Shows nothing to the creator. */
export function FollowButton({ creator }: { creator: CreatorRef }) {
  const { data: following, isLoading } = useFollowing();
  const { user } = useSession();
  if (user?.id === creator.id) return null;
  const follows = following !== undefined && isFollowed(following, creator);
  const press = async () => {
    if (await isSignedIn()) return void follow({ subject: creator, follows: !follows });
    const { id, handle, displayName, avatarUrl } = creator;
    const intent = { kind: 'follow', creator: { id, handle, displayName, avatarUrl } } as const;
    askToSignIn('Please sign in to follow creators.', intent);
  };
  return (
    <Button
      disabled={isLoading}
      aria-pressed={follows}
      icon={follows ? <Check size={16} /> : <Plus size={16} />}
      onClick={() => void press()}
    >
      {follows ? 'Following' : 'Follow'}
    </Button>
  );
}
