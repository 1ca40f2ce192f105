import { CommandBus } from '@nestjs/cqrs';
import { Body, Controller, Param, Patch, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { SampleChangesAnswer, SampleChangesBody } from '../../application/publishing/contract.js';
import { OwnPackReader } from '../../application/publishing/readers.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { ROWS_LIMIT_BYTES } from '../../application/shared/endpoint.js';
import { IfMatch, setVersion } from '../platform/http/version.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';
import { SaveSampleFacts } from '../../application/publishing/pack-commands.js';

/** The facts of many samples at once, as a grid edits them. */
@ApiTags('Creators')
@Controller('api/creator/packs/:id/samples')
@AccessFor('user')
export class CreatorSampleFactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: OwnPackReader,
  ) {}

  /** Rows that cannot be saved are named in the answer; the others are saved in one step. */
  @Patch()
  @Takes('json', ROWS_LIMIT_BYTES)
  @ApiResponse({ status: 200, standardSchema: SampleChangesAnswer })
  async change(
    @CurrentActor() actor: Actor,
    @Param('id') packId: string,
    @IfMatch() expectedVersion: number | undefined,
    @Body({ schema: SampleChangesBody }) { changes }: z.infer<typeof SampleChangesBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<z.infer<typeof SampleChangesAnswer>> {
    const outcome = await this.commands.execute(
      new SaveSampleFacts({ userId: actor.userId, packId, expectedVersion }, changes),
    );
    if (!outcome.accepted) return refuse(outcome.rejection);
    const pack = await this.reader.find(actor.userId, packId);
    if (!pack) throw new ProblemException('NotFound');
    setVersion(response, pack.version);
    return { pack, savedIds: outcome.savedIds, refused: outcome.refused };
  }
}
