import { randomUUID } from 'node:crypto';
import { staffDecider, type StaffRole } from '../../domain/accounts/staff.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';

/** Whoever runs Offcut and works on its command line; people have user ids. */
export const OPERATOR = 'system:operator';

/** Grants and revokes what people may do for the house; the next request sees it. */
export class StaffRoles {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** @returns whether that changed anything */
  grant(userId: string, role: StaffRole, by: string): Promise<boolean> {
    return this.execute('GrantStaffRole', userId, role, by);
  }

  /** @returns whether that changed anything */
  revoke(userId: string, role: StaffRole, by: string): Promise<boolean> {
    return this.execute('RevokeStaffRole', userId, role, by);
  }

  private async execute(
    type: 'GrantStaffRole' | 'RevokeStaffRole',
    userId: string,
    role: StaffRole,
    by: string,
  ): Promise<boolean> {
    const now = this.clock.now().toISOString();
    const outcome = await this.streams.execute(
      staffDecider,
      userId,
      { type, userId, role, by, now },
      { actor: by, correlationId: randomUUID() },
    );
    return outcome.accepted && outcome.events.length > 0;
  }
}
