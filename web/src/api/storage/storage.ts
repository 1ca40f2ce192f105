import { deviceNow } from '../../clock.js';
import type { StorageItem } from '../../../../application/storage/contract.js';
import { backend, hintAtOrigins } from '../transport/backend.js';

export const PROXY_TIMEOUT_MS = 20_000;
/** How long a proxy that did not answer is skipped. */
const PROXY_REST_MS = 60_000;
const BUCKET = 'Sounds';

export type StorageRoute = 'direct' | 'proxy';

/** An error about a file or folder; its message is for the visitor. */
export class StorageProblem extends Error {
  constructor(
    message: string,
    readonly status = 0,
  ) {
    super(message);
    this.name = 'StorageProblem';
  }
}

export interface StoragePlaces {
  /** Origin of the backend, empty for this site; undefined if this page may not use the configured one. */
  direct: string | undefined;
  order?: readonly StorageRoute[];
  fetch?: typeof fetch;
  now?: () => number;
}

const DENIED = 'Storage access denied. Bucket may not be public.';

/**
 * Files and folders of the bucket, from the backend or else through this origin. A proxy that does not answer within
 * 20 s is skipped for a while.
 */
export class StorageClient {
  private proxyRestsUntil = 0;

  constructor(private readonly places: () => StoragePlaces) {}

  /** One folder. @throws StorageProblem */
  async list(
    prefix: string,
    options: { search?: string; limit?: number; signal?: AbortSignal } = {},
  ): Promise<StorageItem[]> {
    const { search = '', limit = 100, signal } = options;
    const query = new URLSearchParams({ bucket: BUCKET, prefix, search, limit: String(limit) });
    const answer = await this.ask(`/api/storage/list?${query}`, 'list', signal);
    return ((await answer.json()) as { data: StorageItem[] }).data;
  }

  /** The bytes of a file. @throws StorageProblem */
  async download(path: string, signal?: AbortSignal): Promise<Blob> {
    const query = new URLSearchParams({ bucket: BUCKET, path });
    return (await this.ask(`/api/storage/object?${query}`, 'download', signal)).blob();
  }

  private async ask(address: string, what: 'list' | 'download', signal?: AbortSignal): Promise<Response> {
    const places = this.places();
    let problem = new StorageProblem(
      'Storage not configured. The backend of this page is missing or not allowed.',
    );
    if (places.direct === undefined) throw problem;
    for (const route of places.order ?? ['direct', 'proxy']) {
      try {
        // This origin is its own proxy, so a second request would have the same result.
        if (route === 'proxy' && places.direct === '' && places.order === undefined) continue;
        return await (route === 'direct'
          ? this.askDirectly(places, address, what, signal)
          : this.askProxy(places, address, what, signal));
      } catch (error) {
        if (signal?.aborted || !(error instanceof StorageProblem)) throw error;
        problem = error;
      }
    }
    throw problem;
  }

  private async askDirectly(
    { direct = '', fetch: send = fetch }: StoragePlaces,
    address: string,
    what: 'list' | 'download',
    signal?: AbortSignal,
  ): Promise<Response> {
    const init: RequestInit = {
      credentials: direct ? 'include' : 'same-origin',
      ...(signal ? { signal } : {}),
    };
    const answer = await send(direct + address, init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      hintAtOrigins(direct);
      throw new StorageProblem(`Storage ${what} failed (0)`);
    });
    return accepted(answer, what);
  }

  private async askProxy(
    { fetch: send = fetch, now = deviceNow }: StoragePlaces,
    address: string,
    what: 'list' | 'download',
    signal?: AbortSignal,
  ): Promise<Response> {
    const unavailable = new StorageProblem('Storage proxy unavailable');
    if (now() < this.proxyRestsUntil) throw unavailable;
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), PROXY_TIMEOUT_MS);
    const giveUp = () => given.abort();
    signal?.addEventListener('abort', giveUp);
    const answer = await send(address, { credentials: 'same-origin', signal: given.signal })
      .catch((error: unknown) => {
        if (signal?.aborted) throw error;
        this.proxyRestsUntil = now() + PROXY_REST_MS;
        throw unavailable;
      })
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      });
    return accepted(answer, what);
  }
}

function accepted(answer: Response, what: 'list' | 'download'): Response {
  if (answer.ok) return answer;
  if (answer.status === 401 || answer.status === 403) throw new StorageProblem(DENIED, answer.status);
  throw new StorageProblem(`Storage ${what} failed (${answer.status})`, answer.status);
}

export const storage = new StorageClient(() => ({ direct: backend()?.origin }));
