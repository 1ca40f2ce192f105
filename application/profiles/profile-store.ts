export interface HandleOwner {
  userId: string;
  /** The current handle. If it differs from the requested one, the caller redirects. */
  handle: string;
}

/** The unique handles of users. A handle is never given to a second user. */
export abstract class ProfileStore {
  abstract findHandleOf(userId: string): Promise<string | undefined>;
  /** Finds a user by current or former handle, without regard to case. */
  abstract findOwner(handle: string): Promise<HandleOwner | undefined>;
  /** Sets a user's first or new handle. @returns false if another user has or had it */
  abstract claim(userId: string, handle: string, now: Date): Promise<boolean>;
}
