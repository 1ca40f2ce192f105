/**
 *   node bin/release.mjs date             dates the changelog's unreleased section; `npm version` runs it
 *   node bin/release.mjs notes <version>  prints the section of a version; the release workflow runs it
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';

/** Returns the changelog with its unreleased section under a version and a date. @throws if the section is empty */
export function dated(changelog, version, date) {
  const [before, after] = changelog.split(UNRELEASED);
  if (!after || /^\s*## /.test(after)) throw new Error('The changelog has nothing under "Unreleased".');
  return `${before}${UNRELEASED}\n## [${version}] - ${date}\n${after}`;
}

/** Returns the dated section of a version. @throws if there is none */
export function notes(changelog, version) {
  const section = changelog
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`## [${version}] - `) && /^## \S+ - \d{4}-\d\d-\d\d\n/.test(part));
  if (!section) throw new Error(`The changelog has no dated section of version ${version}.`);
  return section.slice(section.indexOf('\n')).trim();
}

if (process.argv[1]?.endsWith('release.mjs')) {
  const [command, version] = process.argv.slice(2);
  const changelog = readFileSync(CHANGELOG, 'utf8');
  if (command === 'notes') console.log(notes(changelog, version));
  else {
    const today = new Date().toISOString().slice(0, 10);
    writeFileSync(
      CHANGELOG,
      dated(changelog, process.env.npm_new_version ?? process.env.npm_package_version, today),
    );
    execFileSync('git', ['add', CHANGELOG]);
  }
}
