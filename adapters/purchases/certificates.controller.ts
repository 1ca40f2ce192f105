import { Body, Controller, Get, HttpCode, Param, Post, Res, StreamableFile } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CertificatePrinter } from '../../application/purchases/certificate-printer.js';
import { CertificatePages, Certificates } from '../../application/purchases/certificates.js';
import { Certificate, CertificateLookUp, CertificateVerdict } from '../../application/purchases/contract.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';

/** Proof of a licence: its holder reads it, anybody may have it verified. */
@ApiTags('Certificates')
@Controller('api/certificates')
export class CertificatesController {
  constructor(
    private readonly certificates: Certificates,
    private readonly printer: CertificatePrinter,
    private readonly pages: CertificatePages,
  ) {}

  @Get(':id.pdf')
  @AccessFor('user')
  @ApiProduces('application/pdf')
  async pdf(
    @CurrentActor() actor: Actor,
    @Param('id') id: string,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<StreamableFile> {
    const certificate = await this.own(actor, id);
    response.setHeader('Cache-Control', 'private, no-store');
    return new StreamableFile(await this.printer.print(certificate, this.pages.addressOf(certificate.id)), {
      type: 'application/pdf',
      disposition: `attachment; filename="offcut-licence-${certificate.id}.pdf"`,
    });
  }

  @Get([':id.json', ':id'])
  @AccessFor('user')
  @ApiResponse({ status: 200, standardSchema: Certificate })
  async read(@CurrentActor() actor: Actor, @Param('id') id: string): Promise<Certificate> {
    return this.own(actor, id);
  }

  @Get(':id/verification')
  @AccessFor('public')
  @ApiResponse({ status: 200, standardSchema: CertificateLookUp })
  async lookUp(@Param('id') id: string): Promise<CertificateLookUp> {
    const certificate = await this.certificates.lookUp(id);
    if (!certificate)
      throw new ProblemException('NotFound', { detail: 'No certificate was issued under this id.' });
    return { ...(await this.certificates.verify(certificate)), certificate };
  }

  @Post('verify')
  @AccessFor('public')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: CertificateVerdict })
  async verify(@Body({ schema: Certificate }) certificate: Certificate): Promise<CertificateVerdict> {
    return this.certificates.verify(certificate);
  }

  private async own(actor: Actor, id: string): Promise<Certificate> {
    const certificate = await this.certificates.read(actor.userId, id);
    if (!certificate) throw new ProblemException('NotFound');
    return certificate;
  }
}
