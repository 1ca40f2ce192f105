import type { Person } from '../../../application/accounts/contract.js';
import { Avatar } from '../ui/avatar.js';

/** The `state` of a location that is about a person. */
export interface AboutPerson {
  person?: Person;
}

export function PersonCard({ person }: { person: Person }) {
  const { displayName, email, handle } = person;
  return (
    <>
      <Avatar name={displayName} size={32} />
      <span className="min-w-0 flex-1 text-left">
        <span className="block truncate font-semibold">{displayName}</span>
        <span className="block truncate text-sm text-muted">
          {email}
          {handle && ` · ${handle}`}
        </span>
      </span>
    </>
  );
}
