import { query } from './api.js';
import { queryClient } from './query-client.js';

/** The visitor's sign-in factors other than the password. */
export const factorsQuery = query('GET /api/me/factors');

export const sessionsQuery = query('GET /api/me/sessions');

export const askFactorsAgain = () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey });
export const askSessionsAgain = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
