import { GrantStaffRole } from '../../application/accounts/staff/staff-roles.js';
import { ApplyAsCreator, VerifyCreator } from '../../application/publishing/creators/decide-on-creator.js';
import { CREATORS } from '../catalogue/creators.js';
import { DEMO_DOMAIN } from './domain.js';
import type { DemoProduct } from './demo.js';

/** The password of all demo accounts, which the greeting on the console shows. */
const DEMO_PASSWORD = 'offcut-demo-2026';

/** Listeners whose purchases fill the charts. The first listener signs in as listener@offcut.demo. */
const LISTENERS = [
  ['listener', 'Noor Haddad'],
  ['sable', 'Sable Whitcombe'],
  ['marguerite', 'Marguerite Oyelaran'],
  ['dev', 'Dev Anand Rao'],
  ['pia', 'Pia Lindqvist'],
  ['tomas', 'Tomas Brandt'],
  ['aiko', 'Aiko Mori'],
  ['cleo', 'Cleo Baptiste'],
  ['sam', 'Sam Okonkwo'],
  ['lena', 'Lena Fuchs'],
  ['idris', 'Idris Bello'],
  ['greta', 'Greta Nyman'],
] as const;

/** Two administrators, so that each can approve the other's requests. */
const STAFF = [
  ['admin', 'Demo Admin', 'admin'],
  ['admin2', 'Demo Second Admin', 'admin'],
  ['finance', 'Demo Finance', 'finance'],
] as const;

export interface DemoListener {
  userId: string;
  email: string;
}

export interface DemoPeople {
  /** User ids by the key of the creator in the demo catalogue. */
  creators: Map<string, string>;
  /** The account that users sign in with is first. */
  listeners: DemoListener[];
  /** User ids by the local part of the mail address, such as `admin`. */
  staff: Map<string, string>;
}

export const listenerNamed = ({ listeners }: DemoPeople, name: string): string =>
  listeners.find(({ email }) => email === emailOf(name))?.userId as string;

const emailOf = (name: string): string => `${name}@${DEMO_DOMAIN}`;

export const LISTENER_EMAIL = emailOf('listener');

export const DEMO_CREATOR = { key: 'offcut-creator', email: emailOf('creator') };

/** Creates the demo accounts, and lets the creators publish. A repeated call changes nothing. */
export async function meetPeople(demo: DemoProduct): Promise<DemoPeople> {
  const ensure = (name: string, displayName: string): Promise<string> =>
    demo.signUp.ensure({ email: emailOf(name), password: DEMO_PASSWORD, displayName });
  const staff = new Map<string, string>();
  for (const [name, displayName, role] of STAFF) {
    const userId = await ensure(name, displayName);
    await demo.commands.execute(new GrantStaffRole(userId, role, 'system:demo'));
    staff.set(name, userId);
  }
  const listeners: DemoListener[] = [];
  for (const [name, displayName] of LISTENERS)
    listeners.push({ userId: await ensure(name, displayName), email: emailOf(name) });
  const creators = new Map<string, string>();
  const all = [
    ...CREATORS.map(({ key, displayName }) => [key, key, displayName]),
    [DEMO_CREATOR.key, 'creator', 'Teo Marchetti'],
  ] as Array<[string, string, string]>;
  for (const [key, name, displayName] of all) {
    const userId = await ensure(name, displayName);
    if (await demo.creators.obstacle(userId)) {
      await demo.commands.execute(new ApplyAsCreator(userId));
      await demo.commands.execute(new VerifyCreator(userId, displayName, staff.get('admin') as string));
    }
    creators.set(key, userId);
  }
  return { creators, listeners, staff };
}
