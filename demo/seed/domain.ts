/** The domain of all demo people's mail addresses. No other account has it. */
export const DEMO_DOMAIN = 'offcut.demo';
