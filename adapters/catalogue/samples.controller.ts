import { Controller } from '@nestjs/common';
import type { Sample } from '../../application/catalogue/contract.js';
import * as endpoints from '../../application/catalogue/endpoints.js';
import { Reach } from '../../application/library/reach.js';
import { suggestPart } from '../../application/library/workbenches/endpoints.js';
import { SOUND_VERSION } from '../../domain/catalogue/sound/facts.js';
import { SampleQueries } from './sample-queries.js';
import { TakedownQueries, takedownDetail } from './takedown-queries.js';
import { markTraining } from '../platform/http/middleware.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class SamplesController {
  constructor(
    private readonly samples: SampleQueries,
    private readonly takedowns: TakedownQueries,
    private readonly address: PublicAddress,
    private readonly reach: Reach,
  ) {}

  @Route(endpoints.searchSamples)
  async search({ query, actor, refuse }: Call<typeof endpoints.searchSamples>) {
    if (query.owned !== undefined && !actor) return refuse({ code: 'NotSignedIn' });
    const page = await this.samples.search(query, actor?.userId);
    // The search text is counted only with the first page, because further pages belong to the same search.
    this.shown(page.items, actor?.userId, query.cursor === undefined ? query.q : undefined);
    return page;
  }

  @Route(endpoints.readSample)
  async sample({ params: { id }, actor, refuse, response }: Call<typeof endpoints.readSample>) {
    const sample = await this.samples.detail(id, actor?.userId);
    if (!sample) return refuse(await this.whyMissing(id));
    markTraining(response, this.address.url, sample.creator.aiTraining);
    this.shown([sample], actor?.userId);
    return sample;
  }

  @Route(endpoints.listSimilar)
  async similar({ params: { id }, query, actor, refuse }: Call<typeof endpoints.listSimilar>) {
    if (query.owned !== undefined && !actor) return refuse({ code: 'NotSignedIn' });
    const { by, ...filters } = query;
    const similar =
      by === 'sound'
        ? await this.samples.alike(id, filters, actor?.userId)
        : await this.samples.similar(id, actor?.userId);
    return similar ?? refuse(await this.whyMissing(id));
  }

  @Route(endpoints.searchBySound)
  bySound({ body, actor, refuse }: Call<typeof endpoints.searchBySound>) {
    const { version, descriptors, ...filters } = body;
    if (version !== SOUND_VERSION) return refuse({ code: 'UnknownSoundVersion' });
    if (filters.owned !== undefined && !actor) return refuse({ code: 'NotSignedIn' });
    return this.samples.bySound(descriptors, filters, actor?.userId);
  }

  @Route(endpoints.listSoundVersions)
  soundVersions() {
    return { versions: [SOUND_VERSION] };
  }

  @Route(endpoints.readSoundHistograms)
  histograms({ query, actor, refuse }: Call<typeof endpoints.readSoundHistograms>) {
    if (query.owned !== undefined && !actor) return refuse({ code: 'NotSignedIn' });
    return this.samples.soundHistograms(query, actor?.userId);
  }

  @Route(endpoints.suggestResults)
  suggestions({ query }: Call<typeof endpoints.suggestResults>) {
    return this.samples.suggestions(query.q);
  }

  @Route(suggestPart)
  missingPart({ body, actor }: Call<typeof suggestPart>) {
    return this.samples.missingPart(body, actor?.userId);
  }

  @Route(endpoints.swipe)
  async swipe({ query, actor }: Call<typeof endpoints.swipe>) {
    return { items: await this.samples.swipe(query, actor?.userId) };
  }

  private shown(samples: readonly Sample[], viewerId: string | undefined, words?: string): void {
    const shown = samples.map(({ id, creator }) => ({ id, creatorId: creator.id }));
    this.reach.shown(shown, viewerId, words);
  }

  private async whyMissing(id: string) {
    const takedown = await this.takedowns.ofSample(id);
    return takedown
      ? ({ code: 'TakenDown', ...takedownDetail(takedown) } as const)
      : ({ code: 'SampleNotAvailable' } as const);
  }
}
