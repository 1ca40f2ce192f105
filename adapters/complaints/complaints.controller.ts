import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ConfirmComplaint, WithdrawComplaint } from '../../application/complaints/confirm-complaint.js';
import { FileComplaint } from '../../application/complaints/file-complaint.js';
import { FileCounterNotice } from '../../application/complaints/counter-notice.js';
import { ComplaintTokens } from '../../application/complaints/complaint-tokens.js';
import * as endpoints from '../../application/complaints/endpoints.js';
import { ComplaintQueries } from '../../application/complaints/queries.js';
import { ProblemException, tooManyRequests, type Actor } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

const VISITOR = 'system:visitor';
const DAY_SECONDS = 86_400;

/** Complaints for complainants, signed in or not, and for the creators that they are about. */
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
    const outcome = await this.commands.execute(new ConfirmComplaint(id));
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
    const outcome = await this.commands.execute(new WithdrawComplaint(id, actor?.userId ?? VISITOR));
    if (outcome.accepted) return { id, status: outcome.status };
    const { code } = outcome.rejection;
    return refuse({ code: code === 'AlreadyDecided' ? code : 'NotFound' });
  }

  @Route(endpoints.fileCounterNotice)
  async object({ actor, params: { id }, body, refuse }: Call<typeof endpoints.fileCounterNotice>) {
    const outcome = await this.commands.execute(new FileCounterNotice(id, actor.userId, body.text));
    if (outcome.accepted) return { id, status: outcome.status };
    const { code } = outcome.rejection;
    return refuse({ code: code === 'CounterNoticeClosed' ? code : 'NotFound' });
  }

  @Route(endpoints.readTransparency)
  transparency(_: Call<typeof endpoints.readTransparency>) {
    return this.complaints.transparency();
  }

  /** Returns the side of the complaint that the caller has proved to be on. */
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
