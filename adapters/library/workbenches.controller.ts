import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/library/workbenches/endpoints.js';
import { setVersion } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { Workbenches } from './workbenches.js';

type OneCall = Pick<Call<typeof endpoints.readWorkbench>, 'actor' | 'params' | 'response' | 'refuse'>;

@Controller()
export class WorkbenchesController {
  constructor(private readonly workbenches: Workbenches) {}

  @Route(endpoints.listWorkbenches)
  async list({ actor }: Call<typeof endpoints.listWorkbenches>) {
    return { items: await this.workbenches.of(actor.userId) };
  }

  @Route(endpoints.createWorkbench)
  async create(call: Call<typeof endpoints.createWorkbench>) {
    const outcome = await this.workbenches.create(call.actor.userId, call.body);
    if (!outcome.accepted) return call.refuse(outcome.rejection);
    return this.shown({ ...call, params: outcome });
  }

  @Route(endpoints.readWorkbench)
  read(call: Call<typeof endpoints.readWorkbench>) {
    return this.shown(call);
  }

  @Route(endpoints.saveWorkbench)
  async save(call: Call<typeof endpoints.saveWorkbench>) {
    const { actor, params, body, expectedVersion, refuse } = call;
    const outcome = await this.workbenches.save(actor.userId, params.id, body, expectedVersion);
    return outcome.accepted ? this.shown(call) : refuse(outcome.rejection);
  }

  @Route(endpoints.deleteWorkbench)
  delete({ actor, params }: Call<typeof endpoints.deleteWorkbench>): Promise<void> {
    return this.workbenches.delete(actor.userId, params.id);
  }

  @Route(endpoints.shareWorkbench)
  async share({ actor, params, refuse }: Call<typeof endpoints.shareWorkbench>) {
    const outcome = await this.workbenches.share(actor.userId, params.id);
    return outcome.accepted ? { url: outcome.url } : refuse(outcome.rejection);
  }

  @Route(endpoints.unshareWorkbench)
  async unshare({ actor, params, refuse }: Call<typeof endpoints.unshareWorkbench>): Promise<void> {
    const outcome = await this.workbenches.unshare(actor.userId, params.id);
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Route(endpoints.readSharedWorkbench)
  async shared({ actor, params, refuse }: Call<typeof endpoints.readSharedWorkbench>) {
    return (await this.workbenches.shared(params.token, actor?.userId)) ?? refuse({ code: 'TokenInvalid' });
  }

  private async shown({ actor, params, response, refuse }: OneCall) {
    const workbench = await this.workbenches.byId(actor.userId, params.id);
    if (!workbench) return refuse({ code: 'NotFound' });
    setVersion(response, workbench.version);
    return workbench;
  }
}
