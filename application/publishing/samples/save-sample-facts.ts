import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type * as z from 'zod';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { SampleChange, type SampleChangesAnswer, type SampleChangesBody } from '../contract.js';
import { changeOf } from '../decide-on-pack.js';
import { Packs, type PackRefusal, type PackWriter } from '../packs.js';
import { OwnPackQueries } from '../queries.js';

type Rows = z.infer<typeof SampleChangesBody>['changes'];
type Refused = z.infer<typeof SampleChangesAnswer>['refused'];
type Change = { sampleId: string; change: z.infer<typeof SampleChange> };

export type SavedFacts = Outcome<{ savedIds: string[]; refused: Refused }, PackRefusal>;

/** Saves facts of many samples in one step. Skips and names the rows that cannot be saved. */
export class SaveSampleFacts extends Command<SavedFacts> {
  constructor(
    readonly writer: PackWriter,
    readonly rows: Rows,
  ) {
    super();
  }
}

/** A concurrent request may remove a sample between the read and the decision. Then it is tried again. */
const ATTEMPTS = 3;

@CommandHandler(SaveSampleFacts)
export class SaveSampleFactsHandler implements ICommandHandler<SaveSampleFacts> {
  constructor(
    private readonly packs: Packs,
    private readonly reader: OwnPackQueries,
  ) {}

  async execute({ writer, rows }: SaveSampleFacts): Promise<SavedFacts> {
    const { valid, invalid } = sorted(rows);
    for (let attempt = 1; ; attempt += 1) {
      const pack = await this.reader.find(writer.userId, writer.packId);
      if (!pack) return reject({ code: 'NotFound' });
      const present = new Set(pack.samples.map(({ id }) => id));
      const changes = valid.filter(({ sampleId }) => present.has(sampleId));
      const outcome = await this.packs.decide(
        writer,
        ...changes.map(({ sampleId, change }) => changeOf(sampleId, change)),
      );
      const isGone = !outcome.accepted && outcome.rejection.code === 'NotFound' && attempt < ATTEMPTS;
      if (isGone) continue;
      if (!outcome.accepted) return outcome;
      const absent = valid.filter(({ sampleId }) => !present.has(sampleId));
      const missing = absent.map(({ sampleId }) => ({ sampleId, code: 'NotFound' as const, errors: [] }));
      return {
        accepted: true,
        savedIds: changes.map(({ sampleId }) => sampleId),
        refused: [...invalid, ...missing],
      };
    }
  }
}

function sorted(rows: Rows): { valid: Change[]; invalid: Refused } {
  const valid: Change[] = [];
  const invalid: Refused = [];
  for (const { sampleId, ...change } of rows) {
    const parsed = SampleChange.safeParse(change);
    if (parsed.success) valid.push({ sampleId, change: parsed.data });
    else {
      const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
      invalid.push({ sampleId, code: 'InvalidRequest', errors });
    }
  }
  return { valid, invalid };
}
