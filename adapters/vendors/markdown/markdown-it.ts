import MarkdownIt from 'markdown-it';
import type { Markdown } from '../../../application/legal/legal-texts.js';

/** Tags in the text are shown as text, so the HTML contains only what Markdown can express. */
export class MarkdownItRenderer implements Markdown {
  // The library refuses links with `javascript:`, `vbscript:`, `file:` and `data:`.
  private readonly renderer = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable(
    'image',
  );

  html(markdown: string): string {
    return this.renderer.render(markdown);
  }
}
