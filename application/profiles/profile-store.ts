export interface HandleOwner {
  userId: string;
  /** The handle in use now; if it differs from the requested one, redirect. */
  handle: string;
}

/** Public profiles of people: a unique handle each. A handle is never given to a second person. */
export abstract class ProfileStore {
  abstract findHandleOf(userId: string): Promise<string | undefined>;
  /** By a current or former handle, without regard to case. */
  abstract findOwner(handle: string): Promise<HandleOwner | undefined>;
  /** Gives a user a first or another handle. @returns false if another person has or had it */
  abstract claim(userId: string, handle: string, now: Date): Promise<boolean>;
}
