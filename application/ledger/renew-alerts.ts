import type { CommandBus } from '@nestjs/cqrs';
import type { Alert } from '../../domain/alerts/alert.js';
import { DecideAlert } from '../alerts/decide-alert.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';

/**
 * Raises alerts that are not raised yet, and settles raised ones whose subject is gone.
 * @param lasting keys of the raised alerts of this kind
 * @param subjects keys of the alerts whose subject still exists
 */
export async function renewAlerts(
  commands: CommandBus,
  actor: string,
  lasting: readonly string[],
  alerts: readonly Alert[],
  subjects = alerts.map(({ key }) => key),
): Promise<void> {
  const [told, present] = [new Set(lasting), new Set(subjects)];
  await forEachCollectingErrors(
    alerts.filter(({ key }) => !told.has(key)),
    (alert) => commands.execute(new DecideAlert({ type: 'RaiseAlert', alert }, actor)),
  );
  await forEachCollectingErrors(
    lasting.filter((key) => !present.has(key)),
    (key) => commands.execute(new DecideAlert({ type: 'SettleAlert', key }, actor)),
  );
}
