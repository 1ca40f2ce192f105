import { query } from './api.js';
import { queryClient } from './query-client.js';

/** What the visitor signs in with beside the password. */
export const factorsQuery = query('GET /api/me/factors');

/** Where the visitor is signed in. */
export const sessionsQuery = query('GET /api/me/sessions');

export const askFactorsAgain = () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey });
export const askSessionsAgain = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
