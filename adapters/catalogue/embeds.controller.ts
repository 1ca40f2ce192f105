import { Controller, Header } from '@nestjs/common';
import { PackDetail, type Sample, SampleDetail } from '../../application/catalogue/contract.js';
import { describeEmbed, showEmbed } from '../../application/catalogue/endpoints.js';
import { SharedCollection } from '../../application/library/collections/contract.js';
import { SharedWorkbench } from '../../application/library/workbenches/contract.js';
import { narrowWidths } from '../../application/media/values.js';
import { embedCode, isEmbedKind } from '../../application/pages/values.js';
import { paths, serverPaths } from '../../application/pages/paths.js';
import { Route, type Call } from '../platform/http/route.js';
import { canonicalPath } from '../platform/pages/page-address.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { VisitorAnswers } from '../platform/pages/server-rendering.js';
import { absentPage, embedPage, musicOf, type Embedded } from './embed-page.js';
import { PackQueries } from './pack-queries.js';

const FIVE_MINUTES = 'public, max-age=300';
/**
 * Other sites may cache the oEmbed description for a day. They load the player itself from this site, so it stays
 * current.
 */
const CACHE_SECONDS = 86_400;
const THUMBNAIL_PX = 640;

type Found = Embedded | 404 | 410;

const artworkOf = ([first]: readonly Sample[]): string | null => first?.artworkUrl ?? null;

/** The players of samples, packs, shared collections and shared workbenches on other sites, and their descriptions (oembed.com). */
@Controller()
export class EmbedsController {
  constructor(
    private readonly answers: VisitorAnswers,
    private readonly packs: PackQueries,
    private readonly address: PublicAddress,
  ) {}

  @Route(showEmbed)
  @Header('Cache-Control', FIVE_MINUTES)
  async show({ params: { kind, id }, response }: Call<typeof showEmbed>): Promise<string> {
    const found = isEmbedKind(kind) ? await this[kind](id) : 404;
    if (typeof found === 'object') return embedPage(found, this.address);
    response.statusCode = found;
    return absentPage(kind, found);
  }

  @Route(describeEmbed)
  @Header('Cache-Control', FIVE_MINUTES)
  async describe({ query, refuse }: Call<typeof describeEmbed>) {
    const { url, format, maxwidth, maxheight } = query;
    if (format !== 'json') return refuse({ code: 'FormatNotOffered' });
    const found = await this.at(url);
    if (found === 401)
      return refuse({ code: 'NotSignedIn', detail: 'This page is private. Link to it instead.' });
    if (typeof found === 'number') return refuse({ code: 'NotFound' });
    const { kind, id, title, creator, artworkUrl } = found;
    const code = embedCode({ kind, id, title }, this.address.url, { width: maxwidth, height: maxheight });
    const most = Math.min(THUMBNAIL_PX, maxwidth ?? Infinity, maxheight ?? Infinity);
    const picture = narrowWidths(artworkUrl ?? '').findLast(({ widthPx }) => widthPx <= most);
    return {
      version: '1.0' as const,
      type: 'rich' as const,
      title,
      ...(creator && {
        author_name: creator.displayName,
        author_url: this.address.url + paths.creator(creator.handle),
      }),
      provider_name: 'Offcut',
      provider_url: `${this.address.url}/`,
      cache_age: CACHE_SECONDS,
      ...(picture && {
        thumbnail_url: new URL(this.address.media(picture.name), this.address.url).href,
        thumbnail_width: picture.widthPx,
        thumbnail_height: picture.widthPx,
      }),
      ...code,
    };
  }

  /** Finds the sample, pack, shared collection or shared workbench that a page of this site shows. */
  private async at(url: string): Promise<Found | 401> {
    const asked = URL.parse(url);
    const path = asked?.host === new URL(this.address.url).host ? canonicalPath(asked.pathname) : undefined;
    const [page, first = '', second = '', ...more] = (path ?? '').slice(1).split('/').map(decodeURIComponent);
    if (page === 'library') return 401;
    if (page === 'workbench' && first !== 'shared') return 401;
    if (more.length > 0 || (page !== 'pack' && page !== 'workbench' && second !== '')) return 404;
    if (page === 'sample') return this.sample(first);
    if (page === 'pack') return this.packAt({ slug: first, handle: second });
    if (page === 'workbench') return this.workbench(second);
    return page === 'shared' ? this.collection(first) : 404;
  }

  private async sample(id: string): Promise<Found> {
    const answer = await this.answers.ask({ key: 'GET /api/samples/:id', params: { id }, query: {} });
    if (answer.status !== 200) return answer.status;
    const sample = SampleDetail.parse(answer.body);
    return {
      ...sample,
      kind: 'sample',
      path: paths.sample(id),
      facts: [sample.genre, ...musicOf(sample)],
      credits: sample.creditCost,
      samples: [sample],
    };
  }

  private async pack(id: string): Promise<Found> {
    const at = await this.packs.addressOf(id);
    return at ? this.packAt(at) : 404;
  }

  private async packAt(params: { handle: string; slug: string }): Promise<Found> {
    const answer = await this.answers.ask({ key: 'GET /api/packs/:handle/:slug', params, query: {} });
    if (answer.status !== 200) return answer.status;
    const pack = PackDetail.parse(answer.body);
    const path = paths.pack({ creator: pack.creator.handle, slug: pack.slug });
    return {
      ...pack,
      kind: 'pack',
      path,
      facts: [pack.genre],
      credits: pack.packCostCredits ?? pack.totalCostCredits,
    };
  }

  private async collection(id: string): Promise<Found> {
    const key = 'GET /api/collections/shared/:token';
    const answer = await this.answers.ask({ key, params: { token: id }, query: {} });
    if (answer.status !== 200) return answer.status;
    const { name: title, samples, totalCredits: credits } = SharedCollection.parse(answer.body);
    const path = serverPaths.sharedCollection(id);
    return {
      kind: 'collection',
      id,
      title,
      path,
      artworkUrl: artworkOf(samples),
      facts: [],
      credits,
      samples,
    };
  }

  /** Lists the lanes, and plays each sound as recorded. The page of the workbench plays them together. */
  private async workbench(id: string): Promise<Found> {
    const key = 'GET /api/workbenches/shared/:token';
    const answer = await this.answers.ask({ key, params: { token: id }, query: {} });
    if (answer.status !== 200) return answer.status;
    const { name: title, lanes, tempo, key: songKey, totalCredits } = SharedWorkbench.parse(answer.body);
    const samples = [...new Map(lanes.map(({ sampleId, sample }) => [sampleId, sample])).values()];
    const heard = samples.filter((sample) => sample !== null);
    return {
      kind: 'workbench',
      id,
      title,
      path: serverPaths.sharedWorkbench(id),
      artworkUrl: artworkOf(heard),
      facts: [`${tempo} BPM`, ...(songKey ? [songKey] : [])],
      credits: totalCredits,
      samples: heard,
    };
  }
}
