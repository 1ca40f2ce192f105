/** Random keys that all nodes share and no configuration holds; made when first asked for. */
export abstract class Secrets {
  /** @returns always the same 32 bytes for a name */
  abstract get(name: string): Promise<Buffer>;
}
