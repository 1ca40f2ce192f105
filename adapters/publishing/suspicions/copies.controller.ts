import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  AnswerSuspicion,
  ShowLicence,
  ClaimRecording,
  DecideOnCopy,
} from '../../../application/publishing/suspicions/decide-on-copy.js';
import { SwapSides } from '../../../application/publishing/suspicions/suspect-copy.js';
import { type CopyOutcome } from '../../../application/publishing/suspicions/decided-copies.js';
import * as endpoints from '../../../application/publishing/suspicions/endpoints.js';
import { CopyQueries } from '../../../application/publishing/suspicions/queries.js';
import type { CopyRejection } from '../../../domain/publishing/suspicion.js';
import { Clock } from '../../../application/shared/clock.js';
import { refuse } from '../../platform/http/request.js';
import { Route, type Call } from '../../platform/http/route.js';

@Controller()
export class CopiesController {
  constructor(
    private readonly copies: CopyQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listCopies)
  list({ query }: Call<typeof endpoints.listCopies>) {
    return this.copies.list(query);
  }

  @Route(endpoints.countCopies)
  counts(_: Call<typeof endpoints.countCopies>) {
    return this.copies.counts(this.clock.now());
  }

  @Route(endpoints.readCopy)
  async read({ params, refuse: absent }: Call<typeof endpoints.readCopy>) {
    return (await this.copies.find(params.id, this.clock.now())) ?? absent({ code: 'NotFound' });
  }

  @Route(endpoints.decideOnCopy)
  decide({ actor, params, body }: Call<typeof endpoints.decideOnCopy>) {
    return this.decided(params.id, new DecideOnCopy(params.id, actor.userId, body));
  }

  @Route(endpoints.takeDownCopy)
  takeDown({ actor, params, body }: Call<typeof endpoints.takeDownCopy>) {
    const decided = { decision: 'taken down', ...body } as const;
    return this.decided(params.id, new DecideOnCopy(params.id, actor.userId, decided));
  }

  @Route(endpoints.swapCopy)
  async swap({ actor, params, body }: Call<typeof endpoints.swapCopy>) {
    const outcome = await this.commands.execute(new SwapSides(params.id, actor.userId, body.reason));
    return outcome.accepted
      ? { id: outcome.id, status: 'open' as const }
      : this.refused(params.id, outcome.rejection);
  }

  @Route(endpoints.listOwnCopies)
  own({ actor }: Call<typeof endpoints.listOwnCopies>) {
    return this.copies.own(actor.userId);
  }

  @Route(endpoints.claimRecording)
  async claim({ actor, body }: Call<typeof endpoints.claimRecording>) {
    const { sampleId, ...statement } = body;
    return said(await this.commands.execute(new ClaimRecording(sampleId, actor.userId, statement)));
  }

  @Route(endpoints.showLicence)
  async showLicence({ actor, params, body }: Call<typeof endpoints.showLicence>) {
    return said(await this.commands.execute(new ShowLicence(params.id, actor.userId, body)));
  }

  @Route(endpoints.answerSuspicion)
  async answer({ actor, params, body }: Call<typeof endpoints.answerSuspicion>) {
    return said(await this.commands.execute(new AnswerSuspicion(params.id, actor.userId, body.text)));
  }

  private async decided(id: string, command: DecideOnCopy) {
    const outcome = await this.commands.execute(command);
    if (outcome.accepted) return { id, status: command.decided.decision };
    return this.refused(id, outcome.rejection);
  }

  private async refused(id: string, rejection: CopyRejection) {
    if (rejection.code !== 'AlreadyDecided') return refuse(rejection);
    const copy = await this.copies.find(id, this.clock.now());
    return refuse({ code: rejection.code, state: rejection.state, by: copy?.decidedBy ?? null });
  }
}

/** Converts an outcome for creators. Hides which administrator decided. */
function said(outcome: CopyOutcome) {
  if (outcome.accepted) return { id: outcome.id, status: outcome.status };
  const { rejection } = outcome;
  return refuse(
    rejection.code === 'AlreadyDecided' ? { code: rejection.code, state: rejection.state } : rejection,
  );
}
