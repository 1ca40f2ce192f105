import * as z from 'zod';
import type { Values } from './fields.js';
import type { SERVING } from './http.js';

/** Under which names it is reached, what is written of requests, and who may read what monitoring reads. */
export const DOORS = {
  ALLOWED_HOSTS: z
    .string()
    .regex(/^[\w.[\]:-]+(?:\s*,\s*[\w.[\]:-]+)*$/, 'names with commas between them, without ports')
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]{16,200}$/, '16 to 200 letters, digits or ._~+/=-')
    .optional(),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@|https:\/\/)[^\s@]{3,200}$/, 'begins with mailto: or https://')
    .optional(),
  SECURITY_POLICY: z
    .string()
    .regex(/^https:\/\/[^\s@]{3,200}$/, 'begins with https://')
    .optional(),
  ACCESS_LOG: z.enum(['on', 'errors', 'off']).optional(),
};

export interface DoorsConfig {
  /** The names under which it answers: that of PUBLIC_URL, others that are allowed, outside production the machine's. */
  knownHosts: string[];
  metrics: { token?: string; port?: number; isOpen: boolean };
  /** Where whoever finds a weakness writes, and what they are promised. */
  security: { contact?: string; policy?: string };
  /** Of which requests a line is written; `errors`: of those answered by 400 and above. */
  accessLog: 'on' | 'errors' | 'off';
}

export function doorsConfig(
  value: Values<typeof DOORS> & Pick<Values<typeof SERVING>, 'HOST' | 'PUBLIC_URL'>,
  production: boolean,
): DoorsConfig {
  const { HOST, PUBLIC_URL } = value;
  const machine = ['localhost', '127.0.0.1', '[::1]', HOST.includes(':') ? `[${HOST}]` : HOST];
  return {
    knownHosts: Array.from(
      new Set([
        ...(production ? [] : machine),
        ...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : []),
        ...(value.ALLOWED_HOSTS?.split(/\s*,\s*/) ?? []),
      ]),
    ),
    metrics: { token: value.METRICS_TOKEN, port: value.METRICS_PORT, isOpen: !production },
    security: { contact: value.SECURITY_CONTACT, policy: value.SECURITY_POLICY },
    accessLog: value.ACCESS_LOG ?? (production ? 'on' : 'off'),
  };
}
