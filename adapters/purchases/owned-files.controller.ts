import { Controller, HttpStatus } from '@nestjs/common';
import { AttachedFiles, type AttachedKind } from '../../application/purchases/attached-files.js';
import { ArchiveTickets } from '../../application/purchases/archive-tickets.js';
import * as endpoints from '../../application/purchases/endpoints.js';
import { OwnedOriginals } from '../../application/purchases/owned-originals.js';
import { ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { Route, type Call } from '../platform/http/route.js';
import { sendArchive } from '../platform/http/files.js';

/** Files of owned samples: archives, stems and MIDI. These routes never charge. */
@Controller()
export class OwnedFilesController {
  constructor(
    private readonly zips: ZipDownloads,
    private readonly archives: ArchiveTickets,
    private readonly attached: AttachedFiles,
    private readonly originals: OwnedOriginals,
  ) {}

  @Route(endpoints.downloadZip)
  async zip({ actor, query, response, refuse }: Call<typeof endpoints.downloadZip>): Promise<void> {
    const result = await this.zips.pack(actor.userId, query.ids);
    if (!result.accepted) return refuse(result.rejection);
    await sendArchive(response, result);
  }

  @Route(endpoints.issueArchive)
  async issue({ actor, body, refuse }: Call<typeof endpoints.issueArchive>) {
    const result = await this.archives.issue(actor.userId, body.sampleIds, body.name);
    return result.accepted ? result.answer : refuse(result.rejection);
  }

  @Route(endpoints.downloadArchive)
  async archive(call: Call<typeof endpoints.downloadArchive>): Promise<void> {
    const { actor, params, response, refuse } = call;
    const result = await this.archives.open(actor.userId, params.id);
    if (!result) return refuse({ code: 'NotFound' });
    if (!result.accepted) return refuse(result.rejection);
    await this.archives.close(params.id, await sendArchive(response, result));
  }

  @Route(endpoints.readArchive)
  async archiveStatus({ actor, params, refuse }: Call<typeof endpoints.readArchive>) {
    return (await this.archives.status(actor.userId, params.id)) ?? refuse({ code: 'NotFound' });
  }

  /** A browser that drags a file to the desktop sends a GET without a body. */
  @Route(endpoints.fetchOriginal)
  async file({ actor, params, response, refuse }: Call<typeof endpoints.fetchOriginal>): Promise<void> {
    const result = await this.originals.hand(actor.userId, params.sampleId);
    if (!result.accepted) return refuse(result.rejection);
    response.statusCode = HttpStatus.FOUND;
    response.setHeader('Location', result.download.url);
    response.setHeader('Cache-Control', 'private, no-store');
    response.end();
  }

  @Route(endpoints.fetchStems)
  stems(call: Call<typeof endpoints.fetchStems>) {
    return this.hand(call, 'stems');
  }

  @Route(endpoints.fetchMidi)
  midi(call: Call<typeof endpoints.fetchMidi>) {
    return this.hand(call, 'midi');
  }

  private async hand({ actor, params, refuse }: Call<typeof endpoints.fetchStems>, kind: AttachedKind) {
    const result = await this.attached.hand(actor.userId, params.sampleId, kind);
    return result.accepted ? { download: result.download } : refuse(result.rejection);
  }
}
