import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { changeSamples } from '../../application/publishing/endpoints.js';
import { SaveSampleFacts } from '../../application/publishing/samples/save-sample-facts.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { Route, type Call } from '../platform/http/route.js';
import { setVersion } from '../platform/http/version.js';

/** Changes many samples at once, for the editing grid. */
@Controller()
export class CreatorSampleFactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: OwnPackQueries,
  ) {}

  @Route(changeSamples)
  async change(call: Call<typeof changeSamples>) {
    const { actor, params, expectedVersion, body, response, refuse } = call;
    const writer = { userId: actor.userId, packId: params.id, expectedVersion };
    const outcome = await this.commands.execute(new SaveSampleFacts(writer, body.changes));
    if (!outcome.accepted) return refuse(outcome.rejection);
    const pack = await this.reader.find(actor.userId, params.id);
    if (!pack) return refuse({ code: 'NotFound' });
    setVersion(response, pack.version);
    return { pack, savedIds: outcome.savedIds, refused: outcome.refused };
  }
}
