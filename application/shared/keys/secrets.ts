/** Random keys that all nodes share and the configuration does not contain. They are created on first use. */
export abstract class Secrets {
  /** @returns the same 32 bytes for a name each time */
  abstract get(name: string): Promise<Buffer>;
}
