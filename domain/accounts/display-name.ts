import { CONFUSABLES } from './confusables.js';

const PROTOTYPES = new Map(
  CONFUSABLES.trim()
    .split(/\s+/)
    .flatMap((entry) => {
      const [prototype = '', lookalikes = ''] = entry.split('=');
      const target = prototype.split('+').map(characterOf).join('');
      return lookalikes.split(',').map((code) => [characterOf(code), target] as const);
    }),
);
// Unicode's standard for confusable characters treats "I" like "l". Names are compared in lower case, so "i" must also be treated like "l".
PROTOTYPES.set('i', 'l');

function characterOf(code: string): string {
  return String.fromCodePoint(Number.parseInt(code, 16));
}

const prototypeOf = (text: string): string => {
  const mapped = Array.from(text.normalize('NFKD'), (letter) => PROTOTYPES.get(letter) ?? letter);
  return mapped.join('').normalize('NFKD');
};

/** Returns the skeleton of a name (Unicode TS 39). Names that look alike have the same skeleton. */
export function skeletonOf(name: string): string {
  const visible = name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, '');
  // A capital and its small letter may look like different letters, so lookalikes are replaced in both forms.
  return prototypeOf(prototypeOf(visible).toLowerCase()).replace(/\s+/gu, ' ').trim();
}

const lettersOf = (skeleton: string): string => skeleton.replace(/[^\p{L}\p{N}]/gu, '');

const BRAND = lettersOf(skeletonOf('Offcut'));
const ROLES =
  'admin administrator administration moderator mod staff team official verified support help helpdesk ' +
  'customersupport service security system root billing payment finance deleteduser formercreator formermember';
const RESERVED = new Set(
  ROLES.split(' ')
    .flatMap((role) => [role, `${role}s`])
    .map((role) => lettersOf(skeletonOf(role))),
);

/** Returns whether a name looks like a name of the shop or its staff, or contains no letter or digit. */
export function isReservedName(name: string): boolean {
  const letters = lettersOf(skeletonOf(name));
  return letters === '' || letters.includes(BRAND) || RESERVED.has(letters);
}
