import * as z from 'zod';

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off'])
  .transform((value) => ['true', '1', 'on'].includes(value));
export const url = z.url({ protocol: /^https?$/ });
export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });
export const int = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const timeout = (ms: number) => int(100, 86_400_000).default(ms);

export type Values<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Shape>>;

/** @returns whether the values are set @throws ConfigError if only some of them are */
export function givenTogether(values: Record<string, string | undefined>): boolean {
  const given = Object.values(values).filter(Boolean).length;
  if (given === 0) return false;
  if (given === Object.keys(values).length) return true;
  throw new ConfigError(`Configuration: ${Object.keys(values).join(' and ')} must be set together`);
}
