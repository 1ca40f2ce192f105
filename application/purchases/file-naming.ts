import { Injectable } from '@nestjs/common';
import { fileStem } from '../../domain/shared/file-names.js';
import { FileNameTemplates } from '../library/library.js';
import type { SampleFile } from '../storage/queries.js';

/** Names the files of samples, without extension, after the listener's template. */
@Injectable()
export class FileNames {
  constructor(private readonly templates: FileNameTemplates) {}

  async of(userId: string): Promise<(file: SampleFile) => string> {
    const template = await this.templates.of(userId);
    return (file) =>
      fileStem(template, {
        ...file,
        creator: file.creatorName,
        pack: file.packTitle,
      });
  }
}
