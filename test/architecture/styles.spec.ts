import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(process.cwd(), 'web/src');

/** Returns path and text of the client's files. */
const files = (ending: RegExp): { path: string; text: string }[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const sources = files(/\.tsx?$/);
const stylesheets = files(/\.css$/).map(({ path, text }) => ({
  path,
  text: text.replaceAll(/\/\*[\s\S]*?\*\//g, ''),
}));
const theme = stylesheets.find(({ path }) => path.endsWith('theme.css'))?.text ?? '';
const found = (where: readonly { path: string; text: string }[], what: RegExp): string[] =>
  where.flatMap(({ path, text }) => (text.match(what) ?? []).map((match) => `${path}: ${match.trim()}`));

describe('the styles of the client', () => {
  it('take every size of letters from the scale', () => {
    expect(found(sources, /\btext-\[[\d.]+(px|rem)\]/g)).toEqual([]);
    const measured = /^\s*font(-size)?: [^;]*\b[\d.]+px[^;]*;/gm;
    const written = found(stylesheets, measured).filter((line) => !line.includes('clamp('));
    // The wordmark is a drawing.
    expect(written).toEqual(['shell/shell.css: font-size: 25px;', 'shell/shell.css: font-size: 29px;']);
  });

  it('know every step of the scale that is asked for', () => {
    const steps = new Set([...theme.matchAll(/--text-([\w-]+):/g)].map(([, step]) => step));
    const asked = [...sources, ...stylesheets].flatMap(({ text }) => [
      ...[...text.matchAll(/\btext-((?:\d*x[sl])|sm|base|md|lg)\b/g)].map(([, step]) => step),
      ...[...text.matchAll(/var\(--text-([\w-]+)\)/g)].map(([, step]) => step),
    ]);
    expect(steps.size).toBeGreaterThan(10);
    expect([...new Set(asked)].filter((step) => !steps.has(step))).toEqual([]);
  });

  it('set a colour of the theme to colours only', () => {
    const isColour = (value: string) =>
      /^(#[\da-fA-F]{3,8}|(light-dark|color-mix|rgb|hsl|oklch|var)\(|transparent|currentcolor|[A-Z]\w+$)/.test(
        value,
      );
    const set = (text: string) => [...text.matchAll(/(?<![\w-])--([\w-]+):\s*([^;{}]+);/g)];
    const colours = new Set(
      set(theme).flatMap(([, name = '', value = '']) => (/^(#|light-dark)/.test(value) ? [name] : [])),
    );
    expect(colours.size).toBeGreaterThan(20);
    const wrong = stylesheets.flatMap(({ path, text }) =>
      set(text).flatMap(([line, name = '', value = '']) =>
        colours.has(name) && !isColour(value) ? [`${path}: ${line}`] : [],
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('have no class that nothing wears', () => {
    const code = sources.map(({ text }) => text).join('\n');
    // Icons of the library set their own class.
    const worn = (name: string) =>
      name === 'lucide' ||
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code) ||
      code.includes(`${name.slice(0, name.lastIndexOf('-') + 1)}\${`);
    const named = stylesheets.flatMap(({ text }) =>
      [...text.matchAll(/([^{};]*)\{/g)].flatMap(([, selector = '']) =>
        [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
      ),
    );
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((name) => !worn(name))).toEqual([]);
  });
});
