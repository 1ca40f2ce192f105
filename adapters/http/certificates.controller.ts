import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Certificates } from '../../application/purchases/certificates.js';
import { Certificate, CertificateVerdict } from '../../application/purchases/contract.js';
import { AccessFor, CurrentActor, type Actor } from './access.js';
import { ProblemException } from './problems.js';

/** Proof of a licence: its holder reads it, anybody may have it verified. */
@ApiTags('Certificates')
@Controller('api/certificates')
export class CertificatesController {
  constructor(private readonly certificates: Certificates) {}

  @Get([':id.json', ':id'])
  @AccessFor('user')
  @ApiResponse({ status: 200, standardSchema: Certificate })
  async read(@CurrentActor() actor: Actor, @Param('id') id: string): Promise<Certificate> {
    const certificate = await this.certificates.read(actor.userId, id);
    if (!certificate) throw new ProblemException('NotFound');
    return certificate;
  }

  @Post('verify')
  @AccessFor('public')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: CertificateVerdict })
  async verify(@Body({ schema: Certificate }) certificate: Certificate) {
    return this.certificates.verify(certificate);
  }
}
