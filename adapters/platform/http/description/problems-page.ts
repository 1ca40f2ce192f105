import { ENDPOINTS } from '../../../../application/all-endpoints.js';
import { problemsOf } from '../../../../application/shared/endpoint-problems.js';
import { PROBLEM_MEMBERS } from '../../../../application/shared/problem-members.js';
import { PROBLEMS, type ProblemCode } from '../../../../application/shared/problems.js';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** If more endpoints than this answer with a code, the page shows only their number. */
const LISTED_ENDPOINTS = 12;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}' +
  'section{border-top:1px solid #8886;padding:.5rem 0}section:target{background:#fd06}' +
  'h2{font-size:1.1rem}code{overflow-wrap:anywhere}:root{color-scheme:light dark}';

/** Returns the page that explains every code of a problem. The `type` of a problem is the address of its section. */
export function problemsPage(): string {
  const endpointsOf = new Map<ProblemCode, string[]>();
  for (const endpoint of ENDPOINTS.filter(({ undescribed }) => !undescribed))
    for (const code of problemsOf(endpoint))
      endpointsOf.set(code, [...(endpointsOf.get(code) ?? []), endpoint.key]);
  const sections = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    const [status, title] = PROBLEMS[code];
    const members = Object.keys(
      (PROBLEM_MEMBERS as Partial<Record<ProblemCode, { shape: object }>>)[code]?.shape ?? {},
    );
    const keys = endpointsOf.get(code) ?? [];
    const from = keys.length > LISTED_ENDPOINTS ? `${keys.length} endpoints` : keys.map(codeOf).join(', ');
    return [
      `<section id="${code}"><h2>${code} (${status})</h2><p>${escaped(title)}.</p>`.replace('..<', '.<'),
      members.length > 0 ? `<p>Further fields: ${members.map(codeOf).join(', ')}</p>` : '',
      from && `<p>Answered by ${from}</p>`,
      '</section>',
    ].join('');
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Problems · Offcut API</title><style>${STYLE}</style><main><h1>Problems</h1><p>Refusals are <code>application/problem+json</code> (RFC 9457). <code>code</code> is stable, and <code>type</code> is the address of its section here.</p>${sections.join('')}</main></html>\n`;
}

const codeOf = (text: string): string => `<code>${escaped(text)}</code>`;
