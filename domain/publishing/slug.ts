/** Returns a name in lower case, with a dash for each run of characters other than a–z and 0–9, but not at the ends. */
export function slugFrom(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  // A name without a Latin letter or digit still needs an address.
  return slug.slice(0, 100).replace(/-+$/, '') || 'pack';
}

export const slugCandidate = (slug: string, attempt: number): string =>
  attempt === 1 ? slug : `${slug}-${attempt}`;
