import { returnDefective, takeDown } from '../../api/admin.js';
import { countOf } from '../../ui/format.js';
import { toast } from '../../ui/toast.js';
import type { Decision } from './reason-dialog.js';

const returned = (count: number) => `${countOf(count, 'purchase')} returned.`;

/** Taking a pack out of the shop. @param done runs once it is gone */
export function takedownOf(packId: string, name = 'this pack', done?: () => void): Decision {
  return {
    title: `Take down ${name}?`,
    consequence:
      'It leaves the shop and its files can no longer be downloaded. Buyers get their credits back and keep their certificates. This cannot be undone here.',
    confirmLabel: 'Take down',
    decide: async (reason) => {
      const { purchasesReturned } = await takeDown(packId, reason);
      toast({ title: 'Taken down', description: returned(purchasesReturned) });
      done?.();
    },
  };
}

/** Giving back what a sample cost that does not hold what it promised. */
export function defectOf(sampleId: string, done?: () => void): Decision {
  return {
    title: 'Return the credits?',
    consequence: 'Everybody who bought this sample gets the credits back, once.',
    confirmLabel: 'Return credits',
    decide: async (reason) => {
      const { purchasesReturned } = await returnDefective(sampleId, reason);
      toast({ title: 'Credits returned', description: returned(purchasesReturned) });
      done?.();
    },
  };
}
