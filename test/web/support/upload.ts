/** One upload through the replacement of `XMLHttpRequest`. The test answers it. */
export class FakeUpload extends EventTarget {
  static all: FakeUpload[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  method = '';
  path = '';
  body: FormData | Blob = new FormData();
  status = 0;
  response: unknown = null;
  responseType = '';
  withCredentials = false;
  isAborted = false;

  constructor() {
    super();
    FakeUpload.all.push(this);
  }
  open(method: string, path: string): void {
    Object.assign(this, { method, path });
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  abort(): void {
    this.isAborted = true;
  }
  send(body: FormData | Blob): void {
    this.body = body;
  }

  /** Reports that a part of the bytes was sent. */
  progress(loaded: number, total: number): void {
    const event = Object.assign(new Event('progress'), { lengthComputable: true, loaded, total });
    this.upload.dispatchEvent(event);
  }
  /** Answers as the server would. */
  answer(status: number, json: unknown): void {
    this.status = status;
    this.response = json;
    this.dispatchEvent(new Event('load'));
  }
  /** Loses the connection. */
  lose(): void {
    this.dispatchEvent(new Event('error'));
  }
  get form(): FormData {
    return this.body as FormData;
  }
  /** Returns the `meta` part of the form. */
  meta(): Record<string, unknown> {
    return JSON.parse(String(this.form.get('meta'))) as Record<string, unknown>;
  }
}

/** Replaces the browser's `XMLHttpRequest`. */
export function takeUploads(): typeof FakeUpload {
  FakeUpload.all = [];
  globalThis.XMLHttpRequest = FakeUpload as unknown as typeof XMLHttpRequest;
  return FakeUpload;
}
