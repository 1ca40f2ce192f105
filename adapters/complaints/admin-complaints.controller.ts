import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AnswerComplaint, HoldComplainedAbout } from '../../application/complaints/answer-complaint.js';
import { AnswerCounterNotice } from '../../application/complaints/counter-notice.js';
import { BarComplainant } from '../../application/complaints/bar-complainant.js';
import type { ComplaintOutcome } from '../../application/complaints/decided-complaints.js';
import * as endpoints from '../../application/complaints/endpoints.js';
import { answerLetters } from '../../application/complaints/letters.js';
import { ComplaintQueries } from '../../application/complaints/queries.js';
import { counterNoticeUntil } from '../../domain/complaints/complaint.js';
import { Clock } from '../../application/shared/clock.js';
import { refuse } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class AdminComplaintsController {
  constructor(
    private readonly complaints: ComplaintQueries,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listComplaints)
  list({ query }: Call<typeof endpoints.listComplaints>) {
    return this.complaints.list(query, this.clock.now());
  }

  @Route(endpoints.countComplaints)
  counts(_: Call<typeof endpoints.countComplaints>) {
    return this.complaints.counts(this.clock.now());
  }

  @Route(endpoints.readComplaintAsAdmin)
  async read({ params, refuse: absent }: Call<typeof endpoints.readComplaintAsAdmin>) {
    return (await this.complaints.find(params.id, this.clock.now())) ?? absent({ code: 'NotFound' });
  }

  @Route(endpoints.holdComplainedAbout)
  async hold({ actor, params: { id } }: Call<typeof endpoints.holdComplainedAbout>) {
    return this.done(id, await this.commands.execute(new HoldComplainedAbout(id, actor.userId)));
  }

  @Route(endpoints.answerComplaint)
  async answer({ actor, params: { id }, body }: Call<typeof endpoints.answerComplaint>) {
    return this.done(id, await this.commands.execute(new AnswerComplaint(id, actor.userId, body)));
  }

  @Route(endpoints.previewAnswer)
  async preview({ params: { id }, body, refuse: absent }: Call<typeof endpoints.previewAnswer>) {
    const now = this.clock.now();
    const complaint = await this.complaints.find(id, now);
    if (!complaint) return absent({ code: 'NotFound' });
    return answerLetters(complaint, body, counterNoticeUntil(body.measure, now.toISOString()));
  }

  @Route(endpoints.answerCounterNotice)
  async answerCounter({ actor, params: { id }, body }: Call<typeof endpoints.answerCounterNotice>) {
    const outcome = await this.commands.execute(new AnswerCounterNotice(id, actor.userId, body));
    await this.done(id, outcome);
    return { id, decision: body.decision };
  }

  @Route(endpoints.barComplainant)
  async bar({ actor, params: { id }, body, refuse: not }: Call<typeof endpoints.barComplainant>) {
    const outcome = await this.commands.execute(new BarComplainant(id, actor.userId, body));
    return outcome.accepted ? { id, isBarred: body.isBarred } : not(outcome.rejection);
  }

  private async done(id: string, outcome: ComplaintOutcome) {
    if (outcome.accepted) return { id, status: outcome.status };
    const { rejection } = outcome;
    if (rejection.code !== 'AlreadyDecided') return refuse(rejection);
    const complaint = await this.complaints.find(id, this.clock.now());
    return refuse({ code: rejection.code, state: rejection.state, by: complaint?.decidedBy ?? null });
  }
}
