import { CachePurge } from '../../../application/media/cache-purge.js';

/** Longer than a purge takes. The caller retries after a timeout. */
const TIME_LIMIT_MS = 5_000;
/** The maximum number of paths per request, which CDN services limit. */
const AT_ONCE = 100;

/** Purges a CDN by posting `{paths}` to a configured address. */
export class HttpCachePurge implements CachePurge {
  readonly isThere = true;

  constructor(private readonly options: { url: string; token?: string | undefined }) {}

  async purge(paths: readonly string[]): Promise<void> {
    const { url, token } = this.options;
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify({ paths: paths.slice(from, from + AT_ONCE) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIME_LIMIT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`the cache in front answered ${answer.status} to a purge`);
    }
  }
}
