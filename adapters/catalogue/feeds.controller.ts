import { Controller, Header } from '@nestjs/common';
import { readCreatorFeed, readTagFeed } from '../../application/catalogue/endpoints.js';
import type { PackCard } from '../../application/catalogue/contract.js';
import { paths } from '../../application/pages/paths.js';
import { tagOf } from '../../domain/catalogue/vocabulary.js';
import { ProblemException } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { escaped } from '../../domain/shared/markup.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { PackQueries } from './pack-queries.js';

const FEED_PACKS = 30;
const FIFTEEN_MINUTES = 'public, max-age=900';
/** The date of a feed without packs: feed readers require a date, and it must not change with each request. */
const NEVER = '1970-01-01T00:00:00.000Z';

const nameIn = (file: string): string => {
  const [, name] = /^(.+)\.atom$/.exec(file) ?? [];
  if (name === undefined) throw new ProblemException('NotFound');
  return name;
};

/** Atom feeds (RFC 4287) of new packs. */
@Controller()
export class FeedsController {
  constructor(
    private readonly packs: PackQueries,
    private readonly address: PublicAddress,
  ) {}

  @Route(readCreatorFeed)
  @Header('Cache-Control', FIFTEEN_MINUTES)
  async ofCreator({ params }: Call<typeof readCreatorFeed>): Promise<string> {
    const found = await this.packs.newestOfCreator(nameIn(params.file), FEED_PACKS);
    if (!found) throw new ProblemException('NotFound');
    const { handle, displayName } = found.creator;
    return this.feed(`/feeds/creators/${encodeURIComponent(handle)}.atom`, {
      title: `New packs by ${displayName}`,
      page: paths.creator(handle),
      packs: found.packs,
    });
  }

  @Route(readTagFeed)
  @Header('Cache-Control', FIFTEEN_MINUTES)
  async ofTag({ params }: Call<typeof readTagFeed>): Promise<string> {
    const tag = tagOf(nameIn(params.file));
    if (tag === undefined) throw new ProblemException('NotFound');
    return this.feed(`/feeds/tags/${encodeURIComponent(tag)}.atom`, {
      title: `New packs: ${tag}`,
      page: paths.search(tag),
      packs: await this.packs.newestWithTag(tag, FEED_PACKS),
    });
  }

  private feed(
    self: string,
    { title, page, packs }: { title: string; page: string; packs: PackCard[] },
  ): string {
    const absolute = (path: string) => escaped(this.address.url + path);
    const entries = packs.map((pack) => {
      const { creator, description, genre, id, mood, publishedAt, sampleCount, slug } = pack;
      const at = publishedAt ?? NEVER;
      return `<entry><id>urn:offcut:pack:${escaped(id)}</id><title>${escaped(pack.title)}</title><link href="${absolute(paths.pack({ slug, creator: creator.handle }))}"/><author><name>${escaped(creator.displayName)}</name></author><published>${at}</published><updated>${at}</updated><category term="${escaped(genre)}"/><category term="${escaped(mood)}"/><summary>${escaped(`${sampleCount} samples. ${description}`)}</summary></entry>`;
    });
    return `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${absolute(self)}</id><title>${escaped(title)}</title><updated>${packs[0]?.publishedAt ?? NEVER}</updated><link rel="self" href="${absolute(self)}"/><link href="${absolute(page)}"/>\n${entries.join('\n')}\n</feed>\n`;
  }
}
