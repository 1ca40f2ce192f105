import { accept, type Decider } from '../shared/decision.js';

export interface SetAiPreference {
  type: 'SetAiPreference';
  userId: string;
  trains: boolean;
  now: string;
}

export interface AiPreferenceSet {
  type: 'AiPreferenceSet';
  data: { userId: string; trains: boolean; at: string };
}

export interface AiPreference {
  trains: boolean;
}

/** Stream `ai-preference-{userId}`: whether generative models may be trained with a creator's sounds. */
export const aiPreferenceDecider: Decider<SetAiPreference, AiPreference, AiPreferenceSet, never> = {
  streamOf: (userId) => `ai-preference-${userId}`,
  // Training is not allowed until the creator allows it.
  initialState: { trains: false },
  decide: ({ userId, trains, now: at }, state) =>
    trains === state.trains ? accept() : accept({ type: 'AiPreferenceSet', data: { userId, trains, at } }),
  evolve: (_, { data: { trains } }) => ({ trains }),
};
