import { randomInt } from 'node:crypto';

/** Returns a name for users who have not chosen one. It is random, because the e-mail address is private. */
export const defaultDisplayName = (): string => `Listener ${randomInt(1_000, 10_000)}`;

export const isDefaultName = (name: string): boolean => /^Listener \d{4}$/.test(name);

/** Returns whether a handle was derived from a default name. */
export const isDefaultHandle = (handle: string): boolean => /^Listener_\d{4}(-\d+)?$/.test(handle);
