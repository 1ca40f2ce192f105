import { Controller } from '@nestjs/common';
import { Posting } from '../../../application/ledger/posting.js';
import * as endpoints from '../../../application/ledger/endpoints.js';
import { Explain } from '../../../application/ledger/trace/explain.js';
import { FindInBooks } from '../../../application/ledger/trace/find-in-books.js';
import { Route, type Call } from '../../platform/http/route.js';

@Controller()
export class TraceController {
  constructor(
    private readonly explaining: Explain,
    private readonly finding: FindInBooks,
    private readonly posting: Posting,
  ) {}

  @Route(endpoints.findInBooks)
  async find({ query }: Call<typeof endpoints.findInBooks>) {
    return { items: await this.finding.find(query.q) };
  }

  @Route(endpoints.explain)
  async explain({ params, query, refuse }: Call<typeof endpoints.explain>) {
    await this.posting.allPosted();
    return (await this.explaining.of(params.id, query)) ?? refuse({ code: 'NotFound' });
  }
}
