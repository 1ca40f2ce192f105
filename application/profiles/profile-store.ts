export interface HandleOwner {
  userId: string;
  /** The handle in use now; another than the one asked for means: redirect. */
  handle: string;
}

/** Public profiles of people: a unique handle each. Handles once given are never given to anybody else. */
export abstract class ProfileStore {
  abstract findHandleOf(userId: string): Promise<string | undefined>;
  /** By a current or former handle, without regard to case. */
  abstract findOwner(handle: string): Promise<HandleOwner | undefined>;
  /** Gives a handle to a user who has none, or another. @returns false when somebody else has or had it */
  abstract claim(userId: string, handle: string, now: Date): Promise<boolean>;
}
