import { Injectable } from '@nestjs/common';
import type { CreatorState } from '../../application/publishing/contract.js';
import { CreatorReader } from '../../application/publishing/readers.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresCreatorReader extends CreatorReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async state(userId: string): Promise<CreatorState> {
    const { rows } = await this.database.pool.query<CreatorState>(
      `select coalesce(cs.status, 'none') as status, cs.reason, cp.handle, ua.display_name as "displayName"
         from user_account ua
         left join creator_profile cp using (user_id) left join creator_standing cs using (user_id)
        where ua.user_id = $1`,
      [userId],
    );
    return rows[0] ?? { status: 'none', reason: null, handle: null, displayName: '' };
  }
}
