import { resolve } from 'node:path';
import * as z from 'zod';
import { flag, type Values } from './fields.js';

/** The kinds of jobs that workers do. */
const WORK_KINDS = ['mail', 'sweep', 'nightly', 'encode', 'sound', 'export'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** What this process is for, and what it offers. */
export const PROCESS = {
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  WORK_KINDS: z
    .string()
    .default(WORK_KINDS.join())
    .transform((text) => text.split(',').map((kind) => kind.trim()))
    .pipe(z.array(z.enum(WORK_KINDS))),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path)),
  PLAYLIST_URL: z.url({ protocol: /^https$/ }).optional(),
  AUTO_APPROVE_CREATORS: flag.optional(),
  COPY_CHECK_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(10_000),
  DEMO_CONTENT: flag.optional(),
  SEARCH_INDEX: flag.optional(),
  SEARCH_READY_TIMEOUT_MS: z.coerce.number().int().min(0).max(600_000).optional(),
};

export interface ProcessConfig {
  production: boolean;
  role: 'all' | 'api' | 'worker';
  /** The jobs that it does, if it is a worker. */
  workKinds: WorkKind[];
  dataDir: string;
  /** A playlist of records made from samples here; absent: the home page leads to a search for us. */
  playlistUrl?: string;
  autoApproveCreators: boolean;
  copyCheckWaitMs: number;
  demoContent: boolean;
  /** Searches are answered from memory. */
  searchIndex: boolean;
  /** How long a node that starts takes no visitors because its search index is not read yet. */
  searchReadyTimeoutMs: number;
}

/** @param embedded whether the database is our own */
export function processConfig(value: Values<typeof PROCESS>, embedded: boolean): ProcessConfig {
  const production = value.NODE_ENV === 'production';
  return {
    production,
    role: value.ROLE,
    workKinds: value.WORK_KINDS,
    dataDir: value.DATA_DIR,
    playlistUrl: value.PLAYLIST_URL,
    autoApproveCreators: value.AUTO_APPROVE_CREATORS ?? !production,
    copyCheckWaitMs: value.COPY_CHECK_WAIT_MS,
    demoContent: production ? false : (value.DEMO_CONTENT ?? embedded),
    // Workers answer nobody.
    searchIndex: value.SEARCH_INDEX ?? value.ROLE !== 'worker',
    // Elsewhere no balancer asks.
    searchReadyTimeoutMs: value.SEARCH_READY_TIMEOUT_MS ?? (production ? 30_000 : 0),
  };
}
