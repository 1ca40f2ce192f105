/** The staff's houses: each has a header of its own, and opens to people with the role of its name. */
export type House = 'admin' | 'finance';

/** The house that an address is in. */
export const houseAt = (pathname: string): House | undefined =>
  /^\/(admin|finance)(?![^/])/.exec(pathname)?.[1] as House | undefined;
