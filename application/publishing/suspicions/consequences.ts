import { STRIKES_TO_SUSPENSION } from '../../../domain/publishing/strikes.js';
import type { CopySide, SuspectedCopy } from './contract.js';

export function consequencesFor({
  place,
  licences,
  strikes,
  creatorName,
}: Pick<CopySide, 'place' | 'licences' | 'strikes' | 'creatorName'>): SuspectedCopy['consequences'] {
  const stand =
    licences === 0
      ? 'It has no buyers.'
      : `${licences === 1 ? 'The one licence stands' : `The ${licences} licences stand`}.`;
  const back = licences === 0 ? 'It has no buyers.' : `Its buyers (${licences}) get their credits back.`;
  const limit = strikes < STRIKES_TO_SUSPENSION ? ` of ${STRIKES_TO_SUSPENSION}` : '';
  return {
    allow:
      place === 'held'
        ? 'B goes on sale as soon as its pack is. This pair is not shown again.'
        : 'Both stay. This pair is not shown again.',
    refuse: `B goes off sale. ${creatorName} keeps it and reads the reason. ${stand}`,
    takeDown: `B is gone for good, strike ${strikes + 1}${limit}. ${back}`,
  };
}
