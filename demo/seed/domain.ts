/** Of the addresses of all demo people, and of nobody else's. */
export const DEMO_DOMAIN = 'offcut.demo';
