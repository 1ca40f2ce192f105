/** One upload as the stand-in for `XMLHttpRequest` sees it; the test answers it. */
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

  /** Part of the bytes are on their way. */
  progress(loaded: number, total: number): void {
    const event = Object.assign(new Event('progress'), { lengthComputable: true, loaded, total });
    this.upload.dispatchEvent(event);
  }
  /** The server answers. */
  answer(status: number, json: unknown): void {
    this.status = status;
    this.response = json;
    this.dispatchEvent(new Event('load'));
  }
  /** The connection is lost. */
  lose(): void {
    this.dispatchEvent(new Event('error'));
  }
  /** The form. */
  get form(): FormData {
    return this.body as FormData;
  }
  /** The `meta` part. */
  meta(): Record<string, unknown> {
    return JSON.parse(String(this.form.get('meta'))) as Record<string, unknown>;
  }
}

/** Puts the stand-in in the browser's place. */
export function takeUploads(): typeof FakeUpload {
  FakeUpload.all = [];
  globalThis.XMLHttpRequest = FakeUpload as unknown as typeof XMLHttpRequest;
  return FakeUpload;
}
