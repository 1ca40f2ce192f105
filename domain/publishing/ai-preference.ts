import { accept, type Decision, type Decider } from '../shared/decision.js';

/** Stream `ai-preference-{userId}`: whether generative models may be trained with a creator's sounds. */
const streamOf = (userId: string): string => `ai-preference-${userId}`;

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

/** No answer means no. */
const initialState: AiPreference = { trains: false };

function decide(
  { userId, trains, now: at }: SetAiPreference,
  state: AiPreference,
): Decision<AiPreferenceSet, never> {
  return trains === state.trains
    ? accept()
    : accept({ type: 'AiPreferenceSet', data: { userId, trains, at } });
}

const evolve = (_: AiPreference, { data: { trains } }: AiPreferenceSet): AiPreference => ({ trains });

export const aiPreferenceDecider: Decider<SetAiPreference, AiPreference, AiPreferenceSet, never> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
