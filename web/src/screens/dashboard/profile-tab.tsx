import { useQuery } from '@tanstack/react-query';
import type { User } from '../../../../application/accounts/contract.js';
import { creatorQuery } from '../../api/account.js';
import { paths } from '../../paths.js';
import { Avatar } from '../../ui/avatar.js';
import { ButtonLink } from '../../ui/button.js';

/** How listeners see the creator, and where it is changed. */
export function ProfileTab({ user }: { user: User }) {
  const { data } = useQuery(creatorQuery);
  return (
    <section aria-labelledby="profile-title" className="panel max-w-[640px] p-6">
      <h2 id="profile-title" className="text-[17px] font-semibold">
        Profile Settings
      </h2>
      <div className="mt-5 flex flex-wrap items-center gap-4">
        <Avatar name={user.displayName} url={user.avatarUrl} size={72} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[17px] font-semibold">{user.displayName}</p>
          {data?.handle && <p className="mono mt-1 text-muted">{data.handle}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {data?.handle && <ButtonLink to={paths.creator(data.handle)}>View public page</ButtonLink>}
          <ButtonLink to={paths.settings}>Change name and picture</ButtonLink>
        </div>
      </div>
    </section>
  );
}
