import { createHash } from 'node:crypto';
import { PassThrough, Transform, pipeline as joined, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile as ReadZip } from 'yauzl';
import { ZipFile } from 'yazl';
import {
  BackupRefused,
  type BackupEntry,
  type SignedManifest,
} from '../../../application/operations/backup-manifest.js';

const MANIFEST = 'manifest.json';
const SIGNATURE = 'manifest.signature';
/** A list of about a million objects. */
const MANIFEST_MAX_BYTES = 256 * 1024 * 1024;
const SIGNATURE_MAX_BYTES = 1_024;

/** Writes a backup as a ZIP archive, one file after the other, without keeping files in memory. */
export class BackupWriter {
  /** The archive. Fails if a file of it fails. */
  readonly body = new PassThrough();
  /** The files so far. */
  readonly entries: BackupEntry[] = [];
  private readonly zip = new ZipFile();
  private readonly stopped = new AbortController();

  /** @param advance is called with the bytes of each piece of a file */
  constructor(private readonly advance: (bytes: number, name: string) => void) {
    joined(this.zip.outputStream, this.body, (error) => error && this.stopped.abort(error));
    this.zip.on('error', (error: Error) => this.fail(error));
  }

  /** Adds a file. Resolves when its last byte was read. Fails if `body` is no longer read. */
  async add(
    name: string,
    source: Readable,
    { compress, contentType }: { compress: boolean; contentType?: string },
  ): Promise<void> {
    const measure = new Measure((bytes) => this.advance(bytes, name));
    this.zip.addReadStream(measure, name, { compress });
    await pipeline(source, measure, { signal: this.stopped.signal });
    this.entries.push({ name, ...measure.measured(), ...(contentType !== undefined && { contentType }) });
  }

  /** Adds the list of files, and ends the archive. */
  finish({ manifest, signature }: SignedManifest): void {
    this.zip.addBuffer(manifest, MANIFEST);
    this.zip.addBuffer(signature, SIGNATURE);
    this.zip.end();
  }

  fail(error: Error): void {
    this.body.destroy(error);
  }
}

/** Reads a backup. Every file is compared with its entry in the manifest. */
export class BackupReader {
  private constructor(
    private readonly zip: ReadZip,
    private readonly files: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws BackupRefused if the file is no whole archive; the system's own error if it is unreadable */
  static async open(path: string): Promise<BackupReader> {
    const zip = await openPromise(path, {
      autoClose: false,
      strictFileNames: true,
      validateEntrySizes: true,
    }).catch(refuse('The file is not a whole backup'));
    try {
      const files = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) files.set(entry.fileName, entry);
      return new BackupReader(zip, files);
    } catch (error) {
      zip.close();
      return refuse('The file is not a whole backup')(error as Error);
    }
  }

  async manifest(): Promise<SignedManifest> {
    return {
      manifest: await this.small(MANIFEST, MANIFEST_MAX_BYTES),
      signature: await this.small(SIGNATURE, SIGNATURE_MAX_BYTES),
    };
  }

  /** Reads every file. @throws BackupRefused if one is missing, damaged or not in the list */
  async check(
    entries: readonly BackupEntry[],
    advance: (bytes: number, name: string) => void,
  ): Promise<void> {
    const listed = new Set([MANIFEST, SIGNATURE, ...entries.map(({ name }) => name)]);
    if (listed.size !== entries.length + 2 || [...this.files.keys()].some((name) => !listed.has(name)))
      throw new BackupRefused('The backup has other files than its list.');
    for (const entry of entries) {
      const content = await this.file(entry, advance);
      content.resume();
      await finished(content);
    }
  }

  /**
   * Returns the content of a file. The stream fails at its end with BackupRefused if the content differs from the
   * entry in the manifest.
   */
  async file(listed: BackupEntry, advance: (bytes: number, name: string) => void): Promise<Readable> {
    const source = await this.open(listed.name);
    const measure = new Measure((bytes) => advance(bytes, listed.name), listed);
    // Not `pipeline`, which would report the decompression error instead of BackupRefused.
    source.once('error', () => measure.destroy(damaged(listed.name)));
    measure.once('close', () => source.destroy());
    source.pipe(measure);
    return measure;
  }

  close(): void {
    this.zip.close();
  }

  private async open(name: string): Promise<Readable> {
    const entry = this.files.get(name);
    if (!entry) throw new BackupRefused(`The backup lacks ${name}.`);
    return this.zip.openReadStreamPromise(entry).catch(refuse(`${name} in the backup is damaged`));
  }

  private async small(name: string, limit: number): Promise<Buffer> {
    const entry = this.files.get(name);
    if (!entry || entry.uncompressedSize > limit)
      throw new BackupRefused('The file is not a backup of Offcut.');
    return buffer(await this.open(name)).catch(() => {
      throw damaged(name);
    });
  }
}

const damaged = (name: string): BackupRefused => new BackupRefused(`${name} in the backup is damaged.`);

/** Rethrows errors of the system, such as a missing file. Other errors become BackupRefused. */
const refuse =
  (what: string) =>
  (error: Error): never => {
    throw 'syscall' in error ? error : new BackupRefused(`${what}: ${error.message}.`);
  };

/**
 * Passes bytes on while it counts and hashes them. With `expected`, fails at the end if size or hash differ from the
 * entry.
 */
class Measure extends Transform {
  private readonly sha256 = createHash('sha256');
  private bytes = 0;

  constructor(
    private readonly advance: (bytes: number) => void,
    private readonly expected?: BackupEntry,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _: string, done: (error: null, chunk: Buffer) => void): void {
    this.sha256.update(chunk);
    this.bytes += chunk.length;
    this.advance(chunk.length);
    done(null, chunk);
  }

  override _flush(done: (error?: Error) => void): void {
    if (!this.expected) return done();
    const { bytes, sha256 } = this.measured();
    const isSame = bytes === this.expected.bytes && sha256 === this.expected.sha256;
    done(isSame ? undefined : damaged(this.expected.name));
  }

  measured(): Pick<BackupEntry, 'bytes' | 'sha256'> {
    return { bytes: this.bytes, sha256: this.sha256.copy().digest('hex') };
  }
}
