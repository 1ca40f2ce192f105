import { describe, expect, it } from '@jest/globals';
import type { AccountSettings } from '../../application/accounts/account-settings.js';
import { SignInPace, type AttemptCounter } from '../../application/accounts/attempt-limits.js';
import type { Pause } from '../../application/shared/clock.js';
import { TooBusy, workFor } from '../../application/shared/lanes.js';

const settings = { rateLimitScale: 1 } as AccountSettings;
const HOUR_MS = 3_600_000;

/** A clock that advances only when no other work is left. */
class Time implements Pause {
  now = 0;
  private readonly sleepers: Array<{ at: number; wake: () => void }> = [];

  for(ms: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ at: this.now + ms, wake }));
  }

  async until(end: number): Promise<void> {
    for (;;) {
      await settled();
      this.sleepers.sort((a, b) => a.at - b.at);
      if (!this.sleepers[0] || this.sleepers[0].at > end) break;
      const { at, wake } = this.sleepers.shift() as (typeof this.sleepers)[number];
      this.now = at;
      wake();
    }
    this.now = end;
  }
}

/** Resolves when all work that needs no time is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Two nodes that count in the same database. */
function nodes(time: Time) {
  const counts = new Map<string, number>();
  const add = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  const counter: AttemptCounter = {
    count: async (key) => ({ hits: add(key, 1).get(key) ?? 0, resetsAt: new Date(0) }),
    forgive: async (key) => void add(key, -1),
    reset: async (key) => void counts.delete(key),
  };
  return [new SignInPace(counter, time, settings), new SignInPace(counter, time, settings)] as const;
}

describe('[SIGN-40] wrong passwords for one account slow the next ones, from however many addresses', () => {
  it('2,000 addresses at two nodes get 900 guesses an hour at most', async () => {
    const time = new Time();
    const pair = nodes(time);
    let hashes = 0;
    let busy = 0;
    let inside = 0;
    let most = 0;
    const guess = async () => {
      hashes += 1;
      most = Math.max(most, ++inside);
      await settled();
      inside -= 1;
      return undefined;
    };
    for (let second = 0; second < 3_600; second += 1) {
      await time.until(second * 1_000);
      for (let each = 0; each < 6; each += 1) {
        const address = (second * 6 + each) % 2_000;
        const node = pair[address % 2] as SignInPace;
        void workFor(`203.0.${address}`, () => node.run('owner@example.com', false, guess)).catch((error) => {
          if (!(error instanceof TooBusy)) throw error;
          busy += 1;
        });
      }
    }
    await time.until(HOUR_MS);
    expect(hashes).toBeGreaterThan(600);
    expect(hashes).toBeLessThanOrEqual(900 + 2 * 10);
    expect(busy).toBeGreaterThan(10_000);
    // The first ten run at once, later ones one at a time per node.
    expect(most).toBeLessThanOrEqual(12);

    const before = time.now;
    const known = await pair[0].run('owner@example.com', true, async () => 'the owner');
    expect(known).toEqual({ account: 'the owner' });
    expect(time.now).toBe(before);

    // An unknown browser waits its turn like the others, and is not locked out.
    await time.until(before + 10 * 60_000);
    let signedIn: unknown;
    void pair[1].run('Owner@example.com', false, async () => 'the owner').then((done) => (signedIn = done));
    await time.until(time.now + 8_000);
    expect(signedIn).toEqual({ account: 'the owner' });
  });

  it('ten are looked at as they come, the next ones wait 1, 2, 4 and then 8 seconds; right ones do not count', async () => {
    const time = new Time();
    const [node] = nodes(time);
    const waits: number[] = [];
    const wrongs: unknown[] = [];
    for (let attempt = 0; attempt < 15; attempt += 1) {
      void node.run('a@example.com', false, async () => 'right');
      await time.until(time.now + 10_000);
      const start = time.now;
      void node
        .run('a@example.com', false, async () => void waits.push((time.now - start) / 1_000))
        .then((outcome) => wrongs.push(outcome));
      await time.until(start + 10_000);
    }
    expect(waits).toEqual([...Array(10).fill(0), 1, 2, 4, 8, 8]);
    expect(wrongs.at(-1)).toEqual({ wrong: 15 });
  });
});
