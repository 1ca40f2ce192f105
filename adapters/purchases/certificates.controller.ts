import { Controller, StreamableFile } from '@nestjs/common';
import {
  CertificatePrinter,
  CertificatePages,
  Certificates,
} from '../../application/purchases/certificates.js';
import type { Certificate } from '../../application/purchases/contract.js';
import * as endpoints from '../../application/purchases/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';

type OwnCall = Pick<Call<typeof endpoints.readCertificate>, 'actor' | 'params' | 'refuse'>;

/** Proof of a licence: its holder can read it, and anyone can verify it. */
@Controller()
export class CertificatesController {
  constructor(
    private readonly certificates: Certificates,
    private readonly printer: CertificatePrinter,
    private readonly pages: CertificatePages,
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

  @Route(endpoints.lookUpCertificate)
  async lookUp({ params, refuse }: Call<typeof endpoints.lookUpCertificate>) {
    const certificate = await this.certificates.lookUp(params.id);
    if (!certificate) return refuse({ code: 'NotFound', detail: 'No certificate was issued under this id.' });
    return { ...(await this.certificates.verify(certificate)), certificate };
  }

  @Route(endpoints.verifyCertificate)
  verify({ body: certificate }: Call<typeof endpoints.verifyCertificate>) {
    return this.certificates.verify(certificate);
  }

  private async own({ actor, params, refuse }: OwnCall): Promise<Certificate> {
    return (await this.certificates.read(actor.userId, params.id)) ?? refuse({ code: 'NotFound' });
  }
}
