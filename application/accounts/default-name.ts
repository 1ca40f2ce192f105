import { randomInt } from 'node:crypto';

/** A name for people until they choose one. It shows nothing of their address, which is private. */
export const defaultDisplayName = (): string => `Listener ${randomInt(1_000, 10_000)}`;

export const isDefaultName = (name: string): boolean => /^Listener \d{4}$/.test(name);

/** Whether a handle was made from such a name. */
export const isDefaultHandle = (handle: string): boolean => /^Listener_\d{4}(-\d+)?$/.test(handle);
