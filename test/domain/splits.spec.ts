import { expect, it } from '@jest/globals';
import { approvalDecider } from '../../domain/approvals/approval.js';
import { partsOf, splitDecider, type SplitCommand } from '../../domain/payouts/split.js';

const now = '2026-11-20T12:00:00.000Z';
const named = { packId: 'k1', ownerId: 'junie' };
const offer = (splitId: string, creatorId: string, bps: number): SplitCommand => ({
  type: 'ProposeSplit',
  ...named,
  splitId,
  creatorId,
  bps,
  now,
});

it('[SPLIT-703, SPLIT-705] parts always sum to the whole, and an offered part stays with the creator of the pack', () => {
  const sums: number[] = [];
  let splits = splitDecider.initialState;
  for (const command of [
    offer('a', 'otto', 3_333),
    offer('b', 'mira', 6_666),
    { type: 'AcceptSplit', splitId: 'b', by: 'mira', now },
    { type: 'AcceptSplit', splitId: 'a', by: 'otto', now },
    { type: 'EndSplit', splitId: 'b', by: 'junie', now },
  ] as const) {
    const decided = splitDecider.decide(command, splits);
    if (!decided.accepted) throw new Error(decided.rejection.code);
    splits = decided.events.reduce(splitDecider.evolve, splits);
    const parts = partsOf('junie', splits);
    sums.push(parts.reduce((sum, { bps }) => sum + bps, 0));
    for (const { data } of decided.events) if ('parts' in data) expect(data.parts).toEqual(parts);
  }
  expect(sums).toEqual(sums.map(() => 10_000));
  expect(partsOf('junie', splits)).toEqual([
    { creatorId: 'junie', bps: 6_667 },
    { creatorId: 'otto', bps: 3_333 },
  ]);
  expect(splitDecider.decide(offer('c', 'mira', 6_667), splits)).toMatchObject({
    rejection: { code: 'SharesExceedWhole', leftBps: 6_666 },
  });
  expect(splitDecider.decide(offer('a', 'otto', 1), splits)).toMatchObject({
    rejection: { code: 'IdempotencyKeyReused' },
  });
});

it('[SPLIT-708] people who share a sale under review neither request its release nor approve it', () => {
  const work = { kind: 'release-sale', purchaseId: 'p1', creatorId: 'junie', shareMicroUsd: 1 } as const;
  const asked = (by: string) =>
    approvalDecider.decide(
      {
        type: 'RequestApproval',
        approvalId: 'r1',
        by,
        beneficiary: 'junie',
        reason: 'why',
        work: { ...work, sharedBy: ['junie', 'otto'] },
        now,
      },
      approvalDecider.initialState,
    );
  expect(asked('otto')).toMatchObject({ rejection: { code: 'OwnInterest' } });
  const request = asked('petra');
  if (!request.accepted) throw new Error('asked');
  const state = request.events.reduce(approvalDecider.evolve, approvalDecider.initialState);
  const roles = new Map([['finance', { by: 'system:operator', at: '2020-01-01T00:00:00.000Z' }]] as const);
  const approve = (by: string) =>
    approvalDecider.decide({ type: 'Approve', by, roles, boughtFromThem: false, now }, state);
  expect(approve('otto')).toMatchObject({ rejection: { code: 'OwnInterest' } });
  expect(approve('quinn').accepted).toBe(true);
});
