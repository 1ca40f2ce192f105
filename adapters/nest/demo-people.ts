import { CREATORS } from '../../demo/catalogue/creators.js';
import type { DemoShop } from './demo-shop.js';

/** Of all demo accounts. The greeting on the console tells it too. */
export const DEMO_PASSWORD = 'offcut-demo-2026';

/** They buy what the charts show. The first signs in as listener@offcut.demo. */
const LISTENERS = [
  ['listener', 'Noor Haddad'], ['sable', 'Sable Whitcombe'], ['marguerite', 'Marguerite Oyelaran'], ['dev', 'Dev Anand Rao'],
  ['pia', 'Pia Lindqvist'], ['tomas', 'Tomas Brandt'], ['aiko', 'Aiko Mori'], ['cleo', 'Cleo Baptiste'], ['sam', 'Sam Okonkwo'],
  ['lena', 'Lena Fuchs'], ['idris', 'Idris Bello'], ['greta', 'Greta Nyman'],
] as const; // prettier-ignore

export interface DemoPeople {
  /** User ids by the creator's key in the catalogue. */
  creators: Map<string, string>;
  /** The demo sign-in first. */
  listeners: string[];
}

export const LISTENER_EMAIL = 'listener@offcut.demo';

/** Makes the accounts, and creators of those who publish. Repeating it changes nothing. */
export async function meetPeople(shop: DemoShop): Promise<DemoPeople> {
  const ensure = (
    name: string,
    displayName: string,
    roles: Array<'admin' | 'finance'> = [],
  ): Promise<string> =>
    shop.signUp.ensure({ email: `${name}@offcut.demo`, password: DEMO_PASSWORD, displayName, roles });
  await ensure('admin', 'Demo Admin', ['admin']);
  await ensure('finance', 'Demo Finance', ['finance']);
  const listeners: string[] = [];
  for (const [name, displayName] of LISTENERS) listeners.push(await ensure(name, displayName));
  const creators = new Map<string, string>();
  const all = [...CREATORS.map(({ key, displayName }) => [key, key, displayName]), ['offcut-creator', 'creator', 'Teo Marchetti']] as Array<[string, string, string]>; // prettier-ignore
  for (const [key, name, displayName] of all) {
    const userId = await ensure(name, displayName);
    if (await shop.creators.obstacle(userId)) await shop.creators.apply(userId);
    creators.set(key, userId);
  }
  return { creators, listeners };
}
