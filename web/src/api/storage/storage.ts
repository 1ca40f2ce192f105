import type { StorageItem } from '../../../../application/storage/contract.js';
import { deviceNow } from '../../clock.js';
import { backend, hintAtOrigins } from '../transport/backend.js';
import { within } from '../transport/time-limit.js';

export const PROXY_TIMEOUT_MS = 20_000;
/** The client skips the proxy for this long after the proxy gave no answer. */
const PROXY_REST_MS = 60_000;
const BUCKET = 'Sounds';

class StorageProblem extends Error {
  override name = 'StorageProblem';
}

export interface StoragePlaces {
  /** Origin of the backend; empty if it is this site; undefined if the configured origin is not allowed. */
  direct: string | undefined;
  order?: readonly ('direct' | 'proxy')[];
  fetch?: typeof fetch;
}

/** Reads files of the bucket from the backend, or else through the proxy of this origin. */
export class StorageClient {
  private proxyRestsUntil = 0;

  constructor(private readonly places: () => StoragePlaces) {}

  async list(
    prefix: string,
    { search = '', signal }: { search?: string; signal?: AbortSignal } = {},
  ): Promise<StorageItem[]> {
    const query = new URLSearchParams({ bucket: BUCKET, prefix, search, limit: '100' });
    const answer = await this.ask(`/api/storage/list?${query}`, 'list', signal);
    return ((await answer.json()) as { data: StorageItem[] }).data;
  }

  async download(path: string): Promise<Blob> {
    const query = new URLSearchParams({ bucket: BUCKET, path });
    return (await this.ask(`/api/storage/object?${query}`, 'download')).blob();
  }

  private async ask(address: string, what: string, signal?: AbortSignal): Promise<Response> {
    const { direct, order, fetch: send = fetch } = this.places();
    if (direct === undefined)
      throw new StorageProblem('Storage not configured. The backend of this page is missing or not allowed.');
    // If the backend is this site, the proxy would call the same backend and fail in the same way.
    const routes = order ?? (direct === '' ? ['direct'] : ['direct', 'proxy']);
    let problem: unknown;
    for (const route of routes) {
      try {
        const answer = await (route === 'direct'
          ? this.askDirectly(send, direct, address, signal)
          : this.askProxy(send, address, signal));
        if (!answer) throw new StorageProblem(`Storage ${what} failed (0)`);
        if (answer.status === 401 || answer.status === 403)
          throw new StorageProblem('Storage access denied. Bucket may not be public.');
        if (!answer.ok) throw new StorageProblem(`Storage ${what} failed (${answer.status})`);
        return answer;
      } catch (error) {
        if (signal?.aborted || !(error instanceof StorageProblem)) throw error;
        problem = error;
      }
    }
    throw problem;
  }

  private askDirectly(send: typeof fetch, origin: string, address: string, signal: AbortSignal | undefined) {
    const init: RequestInit = { credentials: origin ? 'include' : 'same-origin', ...(signal && { signal }) };
    return send(origin + address, init).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      hintAtOrigins(origin);
    });
  }

  private async askProxy(send: typeof fetch, address: string, outer: AbortSignal | undefined) {
    const unavailable = new StorageProblem('Storage proxy unavailable');
    if (deviceNow() < this.proxyRestsUntil) throw unavailable;
    const ask = (signal: AbortSignal) => send(address, { credentials: 'same-origin', signal });
    return within(PROXY_TIMEOUT_MS, ask, outer).catch((error: unknown) => {
      if (outer?.aborted) throw error;
      this.proxyRestsUntil = deviceNow() + PROXY_REST_MS;
      throw unavailable;
    });
  }
}

export const storage = new StorageClient(() => ({ direct: backend()?.origin }));
