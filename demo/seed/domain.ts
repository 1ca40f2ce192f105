/** The domain of all demo people's mail addresses. No other account has it. */
export const DEMO_DOMAIN = 'offcut.demo';

/** A message for users: the database or another service failed while the demo content was made. */
export class DemoIncomplete extends Error {}
