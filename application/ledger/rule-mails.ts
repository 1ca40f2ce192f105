import { staffPaths } from '../pages/staff-paths.js';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Alert } from '../../domain/alerts/alert.js';
import { AccountSettings } from '../accounts/account-settings.js';
import { StaffQueries } from '../accounts/staff/staff-queries.js';
import { FactMails } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import type { BookCheck } from './contract.js';
import { AlertQueries } from './queries.js';
import { renewAlerts } from './renew-alerts.js';
import { RULE_BROKEN } from './values.js';

const ACTOR = 'system:nightly-check';
type Rule = BookCheck['broken'][number];

@Injectable()
export class RuleMails {
  constructor(
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
    private readonly staff: StaffQueries,
    private readonly mails: FactMails,
    private readonly settings: AccountSettings,
  ) {}

  /**
   * Renews the alerts. Mails finance once per check, if the newest check finds a broken rule or a rule that holds
   * again.
   * @param checks the newest check first
   */
  async tell([newest, before]: readonly BookCheck[]): Promise<void> {
    if (!newest) return;
    await renewAlerts(
      this.commands,
      ACTOR,
      await this.alerts.lasting(RULE_BROKEN),
      newest.broken.map(alertOf),
    );
    const letter = this.letterOf(newest, before?.broken ?? []);
    if (!letter) return;
    const members = (await this.staff.members()).filter(({ role }) => role === 'finance');
    const about = { recordedAt: new Date(newest.checkedAt) };
    await forEachCollectingErrors(members, ({ userId }) =>
      this.mails.send(`rules ${newest.night} ${userId}`, { userId, about }, () => letter),
    );
  }

  private letterOf({ night, broken }: BookCheck, before: readonly Rule[]): Letter | undefined {
    const among = (rules: readonly Rule[]) => (rule: Rule) =>
      rules.some(({ number }) => number === rule.number);
    const still = broken.filter(among(before));
    const fresh = broken.filter((rule) => !still.includes(rule));
    const again = before.filter((rule) => !among(broken)(rule));
    if (broken.length + again.length === 0) return undefined;
    const page = `${this.settings.publicUrl}${staffPaths.financeReconciliation}`;
    return {
      subject: `The books: ${headline(broken)}`,
      lines: [
        `This is what the check of the books in the night of ${night} found.`,
        ...listed('Broken since this night:', fresh),
        ...listed('Still broken:', still),
        ...listed('Holds again:', again.map(withoutDetail)),
        ...(broken.length > 0 ? ['You get this mail every night until every rule holds.'] : []),
        page,
      ],
    };
  }
}

// The log is permanent, so the alert leaves out details, which may name people. The page of the rules shows them.
const alertOf = ({ number, name }: Rule): Alert => ({
  key: `rule-${number}`,
  kind: RULE_BROKEN,
  text: `Rule ${number} of the books does not hold: ${name}.`,
  item: String(number),
});
const withoutDetail = (rule: Rule): Rule => ({ ...rule, detail: '' });

const listed = (title: string, rules: readonly Rule[]): string[] =>
  rules.length === 0
    ? []
    : [
        [
          title,
          ...rules.map(({ number, name, detail }) => `${number} ${name}${detail && `: ${detail}`}`),
        ].join('\n'),
      ];

const headline = ([first, ...more]: readonly Rule[]): string =>
  first === undefined
    ? 'every rule holds again'
    : more.length === 0
      ? `rule ${first.number} does not hold`
      : `${more.length + 1} rules do not hold`;
