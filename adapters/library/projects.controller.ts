import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/library/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';
import { Projects } from './projects.js';

@Controller()
export class ProjectsController {
  constructor(private readonly projects: Projects) {}

  @Route(endpoints.listProjects)
  async list({ actor }: Call<typeof endpoints.listProjects>) {
    return { items: await this.projects.of(actor.userId) };
  }

  @Route(endpoints.addProject)
  async add({ actor, body, refuse }: Call<typeof endpoints.addProject>) {
    const project = await this.projects.add(actor.userId, { ...body, id: body.id ?? randomUUID() });
    return project ?? refuse({ code: 'TooManyProjects' });
  }

  @Route(endpoints.changeProject)
  async change({ actor, params, body, refuse }: Call<typeof endpoints.changeProject>) {
    const project = await this.projects.change(actor.userId, params.id, body);
    return project ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.removeProject)
  async remove({ actor, params }: Call<typeof endpoints.removeProject>): Promise<void> {
    await this.projects.remove(actor.userId, params.id);
  }
}
