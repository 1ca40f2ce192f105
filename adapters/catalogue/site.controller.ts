import { Controller, Header } from '@nestjs/common';
import { robots, securityTxt, sitemap, tdmPolicy, tdmRep } from '../../application/catalogue/endpoints.js';
import { SiteAddressQueries } from './site-addresses.js';
import { AI_RULES, tdmPolicyOf, tdmRules } from '../../application/catalogue/tdm.js';
import { ProblemException } from '../platform/http/request.js';
import { Route } from '../platform/http/route.js';
import { ClientBuild } from '../platform/pages/client-build.js';
import { escaped } from '../../domain/shared/markup.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { SecurityTxt } from './security-txt.js';

/**
 * A sitemap may contain 50,000 addresses. This many packs, their creators and the pages that the client marks as
 * `listed` need fewer.
 */
const SITEMAP_PACKS = 24_000;
/**
 * The maximum number of addresses of packs, creators and samples. The rest is for the pages that the client marks as
 * `listed`.
 */
const SITEMAP_ADDRESSES = 49_900;
const TDM_CREATORS = 10_000;
const ONE_HOUR = 'public, max-age=3600';

@Controller()
export class SiteController {
  constructor(
    private readonly addresses: SiteAddressQueries,
    private readonly client: ClientBuild,
    private readonly address: PublicAddress,
    private readonly security: SecurityTxt,
  ) {}

  @Route(robots)
  @Header('Cache-Control', ONE_HOUR)
  robots(): string {
    const closed = ['/api/', '/dev/', ...this.client.pathsFor('closed')];
    return [
      'User-agent: *',
      ...AI_RULES,
      ...closed.map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${this.address.url}/sitemap.xml`,
      '',
    ].join('\n');
  }

  @Route(securityTxt)
  @Header('Cache-Control', ONE_HOUR)
  securityTxt(): string {
    const text = this.security.text();
    if (text === undefined) throw new ProblemException('NotFound');
    return text;
  }

  @Route(tdmRep)
  @Header('Cache-Control', ONE_HOUR)
  async tdmRep(): Promise<string> {
    const open = (await this.addresses.allowingTraining(TDM_CREATORS))
      .map(encodeURIComponent)
      .flatMap((creator) => [`/creator/${creator}`, `/pack/*/${creator}`]);
    return JSON.stringify(tdmRules(this.address.url, open));
  }

  @Route(tdmPolicy)
  @Header('Cache-Control', ONE_HOUR)
  tdmPolicy(): string {
    return JSON.stringify(tdmPolicyOf(this.address.url));
  }

  @Route(sitemap)
  @Header('Cache-Control', ONE_HOUR)
  async sitemap(): Promise<string> {
    const lists = this.client.pathsFor('listed').map((path) => ({ path, changedAt: undefined }));
    const found = (await this.addresses.list(SITEMAP_PACKS, SITEMAP_ADDRESSES)).map(
      ({ page, params, changedAt }) => ({
        path: this.client.pathOf(page, params),
        changedAt,
      }),
    );
    const urls = [...lists, ...found].map(({ path, changedAt }) => {
      const modified = changedAt ? `<lastmod>${changedAt}</lastmod>` : '';
      return `<url><loc>${escaped(this.address.url + path)}</loc>${modified}</url>`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
  }
}
