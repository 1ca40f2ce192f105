import { escaped } from '../../domain/shared/markup.js';

/**
 * The default height of each kind of embedded player in pixels. Every player is 640 px wide by default, and works
 * down to a width of 320 px.
 */
const HEIGHTS = { sample: 176, pack: 440, collection: 440, workbench: 440 } as const;
const WIDTH = 640;

export type EmbedKind = keyof typeof HEIGHTS;

export const isEmbedKind = (kind: string): kind is EmbedKind => Object.hasOwn(HEIGHTS, kind);

export interface Embeddable {
  kind: EmbedKind;
  /** The id of a sample or pack, or the secret of the link of a collection or workbench. */
  id: string;
  title: string;
}

/** @param siteUrl the origin of this site @param most the largest size that the embedding site allows */
export function embedCode(
  { kind, id, title }: Embeddable,
  siteUrl: string,
  most: { width?: number | undefined; height?: number | undefined } = {},
): { html: string; width: number; height: number } {
  const width = Math.min(WIDTH, most.width ?? WIDTH);
  const height = Math.min(HEIGHTS[kind], most.height ?? HEIGHTS[kind]);
  const src = escaped(`${siteUrl}/embed/${kind}/${encodeURIComponent(id)}`);
  const frame = `width="${width}" height="${height}" loading="lazy" style="border:0;max-width:100%"`;
  return { html: `<iframe src="${src}" title="${escaped(title)}" ${frame}></iframe>`, width, height };
}
