import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/complaints/endpoints.js';
import { counterNoticeUntil } from '../../domain/complaints/complaint.js';
import {
  COMPLAINTS_ACTOR,
  DecideOnComplaint,
  BarComplainant,
  type ComplaintOutcome,
} from '../../application/complaints/decide-on-complaint.js';
import { FileComplaint } from '../../application/complaints/file-complaint.js';
import { ComplaintTokens } from '../../application/complaints/complainants.js';
import { ComplaintQueries } from '../../application/complaints/queries.js';
import { ProblemException, tooManyRequests, refuse, type Actor } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { answerLetters } from '../../application/complaints/letters.js';
import { Clock } from '../../application/shared/clock.js';

const VISITOR = 'system:visitor';
const DAY_SECONDS = 86_400;

@Controller()
export class ComplaintsController {
  constructor(
    private readonly complaints: ComplaintQueries,
    private readonly tokens: ComplaintTokens,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.readComplaintSubject)
  async subject({ query, refuse }: Call<typeof endpoints.readComplaintSubject>) {
    return (await this.complaints.subject(query))?.card ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.fileComplaint)
  async file({ actor, body, refuse }: Call<typeof endpoints.fileComplaint>) {
    const { subject, kind, statement, work, name, email } = body;
    const by = actor ? { userId: actor.userId } : named(name, email);
    const text = work === '' ? statement : `${statement}\n\nThe work and the right to it:\n${work}`;
    const outcome = await this.commands.execute(new FileComplaint(by, { subject, kind, text }));
    if (outcome.accepted) return { id: outcome.id, status: outcome.status };
    const { code } = outcome.rejection;
    if (code === 'NotFound' || code === 'ComplaintsBarred') return refuse({ code });
    throw tooManyRequests('Too many mails were sent to this address. Try again later.', DAY_SECONDS);
  }

  @Route(endpoints.confirmComplaint)
  async confirm({ params: { id }, body, refuse }: Call<typeof endpoints.confirmComplaint>) {
    if (!(await this.tokens.fits(body.token, 'confirm', id))) return refuse({ code: 'TokenInvalid' });
    const outcome = await this.commands.execute(
      new DecideOnComplaint(id, COMPLAINTS_ACTOR, { type: 'ConfirmComplaint' }),
    );
    if (!outcome.accepted) return refuse({ code: 'TokenInvalid' });
    return { id, token: await this.tokens.for('read', id) };
  }

  @Route(endpoints.listOwnComplaints)
  own({ actor }: Call<typeof endpoints.listOwnComplaints>) {
    return this.complaints.of(actor.userId);
  }

  @Route(endpoints.readComplaint)
  async read({ actor, params: { id }, query, refuse }: Call<typeof endpoints.readComplaint>) {
    const side = await this.sideOf(id, actor, query.token);
    const seen = side && (await this.complaints.seenBy(id, side));
    return seen ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.withdrawComplaint)
  async withdraw({ actor, params: { id }, body, refuse }: Call<typeof endpoints.withdrawComplaint>) {
    if ((await this.sideOf(id, actor, body.token)) !== 'filed') return refuse({ code: 'NotFound' });
    const outcome = await this.commands.execute(
      new DecideOnComplaint(id, actor?.userId ?? VISITOR, { type: 'WithdrawComplaint' }),
    );
    if (outcome.accepted) return { id, status: outcome.status };
    const { code } = outcome.rejection;
    return refuse({ code: code === 'AlreadyDecided' ? code : 'NotFound' });
  }

  @Route(endpoints.fileCounterNotice)
  async object({ actor, params: { id }, body, refuse }: Call<typeof endpoints.fileCounterNotice>) {
    const outcome = await this.commands.execute(
      new DecideOnComplaint(id, actor.userId, { type: 'FileCounterNotice', text: body.text }),
    );
    if (outcome.accepted) return { id, status: outcome.status };
    const { code } = outcome.rejection;
    return refuse({ code: code === 'CounterNoticeClosed' ? code : 'NotFound' });
  }

  @Route(endpoints.readTransparency)
  transparency(_: Call<typeof endpoints.readTransparency>) {
    return this.complaints.transparency();
  }

  /**
   * Returns `filed` for the complainant, `about` for the accused creator, and undefined for other callers. A valid
   * token from a mailed link proves the complainant. Without it, the session decides.
   */
  private async sideOf(id: string, actor: Actor | undefined, token: string | undefined) {
    if (token !== undefined && (await this.tokens.fits(token, 'read', id))) return 'filed' as const;
    return actor && this.complaints.sideOf(id, actor.userId);
  }
}

function named(name: string | undefined, email: string | undefined): { name: string; email: string } {
  if (name !== undefined && email !== undefined) return { name, email };
  const missing = { name, email };
  const errors = (['name', 'email'] as const)
    .filter((path) => missing[path] === undefined)
    .map((path) => ({ path, message: path === 'name' ? 'Enter your name' : 'Enter an e-mail address' }));
  throw new ProblemException('InvalidRequest', { errors });
}

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
    const hold = new DecideOnComplaint(id, actor.userId, { type: 'HoldComplainedAbout' });
    return this.done(id, await this.commands.execute(hold));
  }

  @Route(endpoints.answerComplaint)
  async answer({ actor, params: { id }, body }: Call<typeof endpoints.answerComplaint>) {
    const { reason: text, ...answer } = body;
    const decide = new DecideOnComplaint(id, actor.userId, { type: 'AnswerComplaint', text, ...answer });
    return this.done(id, await this.commands.execute(decide));
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
    const { decision, reason: text } = body;
    const step = { type: 'AnswerCounterNotice', text, decision } as const;
    await this.done(id, await this.commands.execute(new DecideOnComplaint(id, actor.userId, step)));
    return { id, decision };
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
