import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ObjectStorage } from '../storage/object-storage.js';
import type { Breach } from './audit-log.js';
import { FilesOnSaleQueries } from './queries.js';

const AT_ONCE = 8;
const LOOKED_AT = 1_000;

/** Whether what is on sale can be delivered as it was uploaded. */
@Injectable()
export class PublishedFiles {
  constructor(
    private readonly onSale: FilesOnSaleQueries,
    private readonly storage: ObjectStorage,
  ) {}

  /** @param hashFiles reads every file whole; otherwise only its size counts */
  async breaches({ files = LOOKED_AT, hashFiles = false }): Promise<Breach[]> {
    const waiting = await this.onSale.list(files);
    const found: Breach[] = [];
    const work = async (): Promise<void> => {
      for (let file = waiting.pop(); file; file = waiting.pop()) {
        const object = await this.storage.head(file.key);
        let fault: string | undefined;
        if (!object) fault = 'has no file';
        else if (object.sizeBytes !== file.sizeBytes)
          fault = `has a file of ${object.sizeBytes} bytes, not ${file.sizeBytes}`;
        else if (hashFiles && (await this.hash(file.key)) !== file.sha256)
          fault = 'has a file with other bytes';
        if (fault) found.push({ invariant: 21, detail: `sample ${file.sampleId} ${fault}` });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found;
  }

  private async hash(key: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of (await this.storage.get(key)).body) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }
}
