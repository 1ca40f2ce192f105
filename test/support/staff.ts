import { PROJECTIONS } from '../../bootstrap/projections.js';
import type { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import {
  GrantStaffRole,
  GrantStaffRoleHandler,
  OPERATOR,
} from '../../application/accounts/staff/staff-roles.js';
import { SystemClock } from '../../application/shared/clock.js';
import { Streams } from '../../application/shared/streams.js';
import type { StaffRole } from '../../domain/accounts/staff.js';
import type { HttpClient } from './http-client.js';
import type { TestProduct } from './product.js';

/** Grants roles, as the operator does on the command line. */
export async function grantRoles(
  database: Database,
  userId: string,
  ...roles: readonly StaffRole[]
): Promise<void> {
  const clock = new SystemClock();
  const staff = new GrantStaffRoleHandler(
    new Streams(new PostgresEventStore(database, clock, PROJECTIONS.appendedInline)),
    clock,
  );
  for (const role of roles) await staff.execute(new GrantStaffRole(userId, role, OPERATOR));
}

/** Signs up a user with a role. */
export async function signedUpAs(product: TestProduct, role: StaffRole): Promise<HttpClient> {
  const client = await product.signedUp();
  await grantRoles(product.resources.database, client.userId, role);
  return client;
}
