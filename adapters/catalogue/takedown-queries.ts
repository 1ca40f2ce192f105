import { Inject, Injectable } from '@nestjs/common';
import type { Takedown } from '../../application/catalogue/queries.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';
import { takedownNotice } from '../../application/complaints/letters.js';

/** Finds takedowns, so that the old address of an item reports the takedown. Returns undefined for other items. */
@Injectable()
export class TakedownQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {}

  async ofPack(handle: string, slug: string): Promise<Takedown | undefined> {
    const found = await this.database.db
      .selectFrom('handle_history as h')
      .innerJoin('pack_slug as k', 'k.creator_id', 'h.user_id')
      .innerJoin('pack as p', 'p.pack_id', 'k.pack_id')
      .select('p.pack_id as id')
      .where('h.handle_lower', '=', foldHandle(handle))
      .where('k.slug', '=', slug.toLowerCase())
      .where('p.status', '=', 'taken_down')
      .executeTakeFirst();
    return found && this.after(found.id);
  }

  async ofSample(sampleId: string): Promise<Takedown | undefined> {
    const found = await this.database.db
      .selectFrom('sample')
      .select('sample_id as id')
      .where('sample_id', '=', sampleId)
      .where('taken_down', '=', true)
      .executeTakeFirst();
    return found && this.after(found.id);
  }

  private async after(subjectId: string): Promise<Takedown> {
    const complaint = await this.database.db
      .selectFrom('complaint')
      .select(['kind', 'decided_at as at'])
      .where('subject_id', '=', subjectId)
      .where('measure', '=', 'take down')
      .orderBy('decided_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return complaint?.at ? { complaint: { kind: complaint.kind, at: complaint.at } } : {};
  }
}

export const takedownDetail = ({ complaint }: Takedown): { detail?: string } =>
  complaint ? { detail: takedownNotice(complaint) } : {};
