import { Controller, HttpStatus, StreamableFile } from '@nestjs/common';
import * as endpoints from '../../application/purchases/endpoints.js';
import { AttachedFiles, OwnedOriginals, type AttachedKind } from '../../application/purchases/owned-files.js';
import { ArchiveTickets, ZipDownloads } from '../../application/purchases/zip-downloads.js';
import { WorkbenchExports } from '../../application/purchases/workbench-exports.js';
import { CertifiedCopies, TaggedCopies } from '../../application/purchases/tagged-copies.js';
import { DisputePacks } from '../../application/purchases/dispute-packs.js';
import { Route, type Call } from '../platform/http/route.js';
import { sendArchive } from '../platform/http/files.js';
import {
  CertificatePrinter,
  CertificatePages,
  Certificates,
} from '../../application/purchases/certificates.js';
import type { Certificate } from '../../application/purchases/contract.js';

/** Downloads of owned samples: archives, stems, MIDI and originals. These routes never charge. */
@Controller()
export class OwnedFilesController {
  constructor(
    private readonly zips: ZipDownloads,
    private readonly archives: ArchiveTickets,
    private readonly workbenches: WorkbenchExports,
    private readonly attached: AttachedFiles,
    private readonly originals: OwnedOriginals,
    private readonly tagged: TaggedCopies,
  ) {}

  @Route(endpoints.downloadZip)
  async zip({ actor, query, response, refuse }: Call<typeof endpoints.downloadZip>): Promise<void> {
    const result = await this.zips.pack(actor.userId, query.ids);
    if (!result.accepted) return refuse(result.rejection);
    await sendArchive(response, result);
  }

  @Route(endpoints.issueArchive)
  async issue({ actor, body, refuse }: Call<typeof endpoints.issueArchive>) {
    const result = await this.archives.issue(actor.userId, body.sampleIds, body);
    return result.accepted ? result.answer : refuse(result.rejection);
  }

  @Route(endpoints.downloadArchive)
  async archive(call: Call<typeof endpoints.downloadArchive>): Promise<void> {
    const { actor, params, query, response, refuse } = call;
    const { format, key = null, timeSignature = '4/4', ...tempo } = query;
    const project = format && { format, key, timeSignature, ...tempo };
    const result = await this.archives.open(actor.userId, params.id, project);
    if (!result) return refuse({ code: 'NotFound' });
    if (!result.accepted) return refuse(result.rejection);
    await this.archives.close(params.id, await sendArchive(response, result));
  }

  @Route(endpoints.exportWorkbench)
  async exportWorkbench(call: Call<typeof endpoints.exportWorkbench>): Promise<void> {
    const { actor, params, query, response, refuse } = call;
    const result = await this.workbenches.export(actor.userId, params.id, query);
    if (!result.accepted) return refuse(result.rejection);
    await sendArchive(response, result);
  }

  @Route(endpoints.readArchive)
  async archiveStatus({ actor, params, refuse }: Call<typeof endpoints.readArchive>) {
    return (await this.archives.status(actor.userId, params.id)) ?? refuse({ code: 'NotFound' });
  }

  /** A GET without a body, because a browser that drags a file to the desktop can send nothing else. */
  @Route(endpoints.fetchOriginal)
  async file({ actor, params, response, refuse }: Call<typeof endpoints.fetchOriginal>): Promise<void> {
    const result = await this.originals.hand(actor.userId, params.sampleId);
    if (!result.accepted) return refuse(result.rejection);
    response.statusCode = HttpStatus.FOUND;
    response.setHeader('Location', result.download.url);
    response.setHeader('Cache-Control', 'private, no-store');
    response.end();
  }

  @Route(endpoints.fetchTaggedCopy)
  async taggedCopy(call: Call<typeof endpoints.fetchTaggedCopy>): Promise<void> {
    const { actor, params, response, refuse } = call;
    const result = await this.tagged.make(actor.userId, params.sampleId);
    if (!result.accepted) return refuse(result.rejection);
    await sendArchive(response, { ...result, contentType: 'audio/wav' });
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

type OwnCall = Pick<Call<typeof endpoints.readCertificate>, 'actor' | 'params' | 'refuse'>;

@Controller()
export class CertificatesController {
  constructor(
    private readonly certificates: Certificates,
    private readonly copies: CertifiedCopies,
    private readonly printer: CertificatePrinter,
    private readonly pages: CertificatePages,
    private readonly disputes: DisputePacks,
  ) {}

  @Route(endpoints.printCertificate)
  async pdf(call: Call<typeof endpoints.printCertificate>) {
    const certificate = await this.own(call);
    call.response.setHeader('Cache-Control', 'private, no-store');
    return new StreamableFile(await this.printer.print(certificate, this.pages.addressOf(certificate.id)), {
      type: 'application/pdf',
      disposition: `attachment; filename="offcut-licence-${certificate.id}.pdf"`,
    });
  }

  @Route(endpoints.readCertificateFile)
  file(call: Call<typeof endpoints.readCertificateFile>) {
    return this.own(call);
  }

  @Route(endpoints.readCertificate)
  read(call: Call<typeof endpoints.readCertificate>) {
    return this.own(call);
  }

  @Route(endpoints.makeDisputePack)
  async disputePack(call: Call<typeof endpoints.makeDisputePack>): Promise<void> {
    const certificate = await this.own(call);
    await sendArchive(call.response, await this.disputes.make(certificate, call.body.compared ?? null));
  }

  @Route(endpoints.lookUpCertificate)
  async lookUp({ params, refuse }: Call<typeof endpoints.lookUpCertificate>) {
    const certificate = await this.certificates.lookUp(params.id);
    if (!certificate) return refuse({ code: 'NotFound', detail: 'No certificate was issued under this id.' });
    const copies = await this.copies.of(certificate.id);
    return { ...(await this.certificates.verify(certificate)), certificate, copies };
  }

  @Route(endpoints.verifyCertificate)
  verify({ body: certificate }: Call<typeof endpoints.verifyCertificate>) {
    return this.certificates.verify(certificate);
  }

  private async own({ actor, params, refuse }: OwnCall): Promise<Certificate> {
    return (await this.certificates.read(actor.userId, params.id)) ?? refuse({ code: 'NotFound' });
  }
}
