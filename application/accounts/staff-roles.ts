import { randomUUID } from 'node:crypto';
import { staffDecider, type StaffEvent, type StaffRole } from '../../domain/accounts/staff.js';
import { Clock } from '../shared/clock.js';
import { EventStore, StreamVersionConflict } from '../shared/event-store.js';

const ATTEMPTS = 3;

/** Whoever runs Offcut and works on its command line; people have user ids. */
export const OPERATOR = 'system:operator';

/** Grants and revokes what people may do for the house; the next request sees it. */
export class StaffRoles {
  constructor(
    private readonly log: EventStore,
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
    const stream = staffDecider.streamOf(userId);
    const now = this.clock.now().toISOString();
    for (let attempt = 1; ; attempt += 1) {
      const history = await this.log.readStream(stream);
      const roles = (history as unknown as StaffEvent[]).reduce(
        staffDecider.evolve,
        staffDecider.initialState,
      );
      const decision = staffDecider.decide({ type, userId, role, by, now }, roles);
      if (!decision.accepted || decision.events.length === 0) return false;
      try {
        await this.log.append([{ stream, expectedVersion: history.length, events: decision.events }], {
          actor: by,
          correlationId: randomUUID(),
        });
        return true;
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
      }
    }
  }
}
