import type {
  CreatorApplication,
  CreatorApplicationPage,
  CreatorApplicationsQuery,
  CreatorState,
} from '../../../application/publishing/contract.js';
import { CreatorReader } from '../../../application/publishing/readers.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import type { Database } from '../database.js';
import { isoTime } from './shapes.js';

export class PostgresCreatorReader extends CreatorReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async state(userId: string): Promise<CreatorState> {
    const { rows } = await this.database.pool.query<CreatorState>(
      `select coalesce(cs.status, 'none') as status, cp.handle, ua.display_name as "displayName"
         from user_account ua
         left join creator_profile cp using (user_id) left join creator_standing cs using (user_id)
        where ua.user_id = $1`,
      [userId],
    );
    return rows[0] ?? { status: 'none', handle: null, displayName: '' };
  }

  override async applications({
    status,
    limit,
    cursor,
  }: CreatorApplicationsQuery): Promise<CreatorApplicationPage> {
    const [appliedAt, userId] = decodeCursor(cursor, 2) ?? [];
    const after = typeof appliedAt === 'string' ? appliedAt : null;
    const { rows } = await this.database.pool.query<{ application: CreatorApplication; total: number }>(
      `select json_build_object(
                'userId', cs.user_id, 'displayName', coalesce(ua.display_name, ''), 'email', ua.email, 'handle', cp.handle,
                'status', cs.status, 'reason', cs.reason, 'appliedAt', ${isoTime('cs.applied_at')}) as application,
              (select count(*)::int from creator_standing where status = $1) as total
         from creator_standing cs left join user_account ua using (user_id) left join creator_profile cp using (user_id)
        where cs.status = $1 and ($2::text is null or (${isoTime('cs.applied_at')}, cs.user_id) > ($2, $3::text))
        order by cs.applied_at, cs.user_id limit $4`,
      [status, after, after === null ? null : String(userId), limit + 1],
    );
    const shown = rows.slice(0, limit).map((row) => row.application);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      items: shown,
      nextCursor: last ? encodeCursor([last.appliedAt, last.userId]) : null,
      total: rows[0]?.total ?? 0,
    };
  }
}
