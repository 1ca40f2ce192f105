/**
 * The licences of all packages in the client and in the image, each text once. The build of the client writes them to
 * `third-party-notices.txt`, which the shop serves.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Packages that contain more than their licence field says. */
const CONTAINS = {
  'wasm-media-encoders': 'contains LAME (LGPL-2.0-or-later) and libvorbis (BSD-3-Clause)',
};

/** Returns the bare names that sources of the client import. */
function importedByClient() {
  const sources = globSync('{web/src,packages/offcut-sync/src}/**/*.{ts,tsx,css}', { cwd: ROOT });
  const names = sources.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /(?:from|import|import\(|url\()\s*['"]([@a-z][^'"]*)['"]/g,
      ),
    ].map(([, path]) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
  return new Set(names);
}

/** Returns the folders of packages that ship: those of production, and those of the client with what they need. */
export function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const found = new Set(
    Object.keys(packages).filter(
      (path) => path.includes('node_modules/') && !packages[path].dev && !packages[path].link,
    ),
  );
  const add = (name, from) => {
    for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
      const path = `${base && `${base}/`}node_modules/${name}`;
      if (packages[path]) {
        if (packages[path].link || (found.has(path) && !packages[path].dev)) return;
        const isNew = !found.has(path);
        found.add(path);
        if (isNew) for (const each of Object.keys(packages[path].dependencies ?? {})) add(each, path);
        return;
      }
      if (base === '') return;
    }
  };
  for (const name of importedByClient()) add(name, '');
  return [...found].sort();
}

/** Returns a package's name, version, licence and the texts that it ships. Undefined if it is for another system. */
export function noticeOf(path) {
  const folder = join(ROOT, path);
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
  const { name, version, license, licenses } = manifest;
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying|ofl)/i.test(file))
    .sort()
    .flatMap((file) => {
      try {
        return [readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()];
      } catch {
        return [];
      }
    });
  const stated = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');
  return { title: `${name} ${version}`, license: stated, more: CONTAINS[name], text: texts.join('\n\n') };
}

/** Returns the text of the notices. */
export function thirdPartyNotices() {
  const byText = new Map();
  for (const path of shippedPackages()) {
    const notice = noticeOf(path);
    if (!notice) continue;
    const { title, license, more, text } = notice;
    const line = `${title} (${license ?? 'see below'}${more ? `; ${more}` : ''})`;
    byText.set(text, [...(byText.get(text) ?? []), line]);
  }
  const parts = [...byText].map(
    ([text, lines]) =>
      `${[...new Set(lines)].join('\n')}\n\n${text || 'The package ships no text of its licence.'}`,
  );
  return `Offcut contains these packages.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
