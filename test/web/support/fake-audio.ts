/** An audio element whose readiness, failures and clock the test controls. */
export class FakeAudio extends EventTarget {
  src = '';
  preload = '';
  volume = 1;
  currentTime = 0;
  duration = Number.NaN;
  readyState = 4;
  paused = true;
  ended = false;
  error: { code: number } | null = null;
  /** The next calls of play() fail with these. */
  failures: Error[] = [];
  readonly addresses: string[] = [];

  removeAttribute(): void {
    this.src = '';
  }
  load(): void {
    if (this.src) this.addresses.push(this.src);
    this.currentTime = 0;
  }
  play(): Promise<void> {
    const failure = this.failures.shift();
    if (failure) return Promise.reject(failure);
    this.paused = false;
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
  at(seconds: number): void {
    this.currentTime = seconds;
    this.dispatchEvent(new Event('timeupdate'));
  }
}
