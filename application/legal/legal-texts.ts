import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  ACCEPTED_DOCUMENTS,
  acceptanceDecider,
  LEGAL_DOCUMENTS,
  type Acceptances,
  type LegalDocument,
} from '../../domain/legal/acceptance.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import type { LegalPage } from './contract.js';
import { LEGAL_TITLES } from './values.js';

/** The legal texts that this node shows. */
export class LegalTexts {
  readonly versions: Readonly<Record<LegalDocument, string>>;

  /** @param areTemplates whether the operator has no texts yet; then no user is asked to accept a new version */
  constructor(
    readonly texts: Readonly<Record<LegalDocument, string>>,
    readonly areTemplates: boolean,
  ) {
    this.versions = Object.fromEntries(
      Object.entries(texts).map(([document, text]) => [
        document,
        createHash('sha256').update(text).digest('hex'),
      ]),
    ) as Record<LegalDocument, string>;
  }

  /** For the page head: the versions that new accounts accept, and `asks` if existing users are asked to accept them. */
  get inHead(): string {
    const { terms, privacy } = this.versions;
    return new URLSearchParams({ terms, privacy, ...(!this.areTemplates && { asks: '' }) }).toString();
  }
}

/** Stores every text that was in use, so that an accepted version can always be shown. */
export abstract class LegalHistory {
  abstract find(document: LegalDocument, version: string): Promise<string | undefined>;
  /** Lists the versions of a document, newest first. */
  abstract versions(document: LegalDocument): Promise<{ version: string; since: string }[]>;
}

export abstract class Markdown {
  /** Returns HTML without scripts, styles, images and other active content. */
  abstract html(markdown: string): string;
}

@Injectable()
export class LegalPages {
  constructor(
    private readonly current: LegalTexts,
    private readonly history: LegalHistory,
    private readonly markdown: Markdown,
  ) {}

  /** @returns undefined for an unknown document, and for a version that was never in use */
  async read(name: string, asked?: string): Promise<LegalPage | undefined> {
    const document = LEGAL_DOCUMENTS.find((each) => each === name);
    if (!document) return undefined;
    const inUse = this.current.versions[document];
    const version = asked ?? inUse;
    const isCurrent = version === inUse;
    const text = isCurrent ? this.current.texts[document] : await this.history.find(document, version);
    if (text === undefined) return undefined;
    const versions = await this.history.versions(document);
    const since = versions.find((each) => each.version === version)?.since;
    if (since === undefined) return undefined;
    const title = LEGAL_TITLES[document];
    return { document, title, version, since, isCurrent, html: this.markdown.html(text), versions };
  }
}

@Injectable()
export class Acceptance {
  constructor(
    private readonly current: LegalTexts,
    private readonly streams: Streams,
  ) {}

  /** Returns the current versions that the user has not accepted. Returns none while the texts are templates. */
  async pending(userId: string): Promise<Acceptances> {
    if (this.current.areTemplates) return {};
    const accepted = await this.streams.load(acceptanceDecider, userId);
    const missing = ACCEPTED_DOCUMENTS.filter((each) => accepted[each] !== this.current.versions[each]);
    return Object.fromEntries(missing.map((each) => [each, this.current.versions[each]]));
  }

  /** Refuses versions that are not current: the user has read another text. */
  check(versions: Acceptances): Outcome<object, { code: 'LegalTextChanged' }> {
    const isOld = ACCEPTED_DOCUMENTS.some(
      (each) => versions[each] !== undefined && versions[each] !== this.current.versions[each],
    );
    return isOld ? reject({ code: 'LegalTextChanged' }) : { accepted: true };
  }
}

type AcceptOutcome = Outcome<object, { code: 'LegalTextChanged' }>;

export class AcceptTexts extends Command<AcceptOutcome> {
  constructor(
    readonly userId: string,
    readonly versions: Acceptances,
  ) {
    super();
  }
}

@CommandHandler(AcceptTexts)
export class AcceptTextsHandler implements ICommandHandler<AcceptTexts> {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, versions }: AcceptTexts): Promise<AcceptOutcome> {
    const checked = this.acceptance.check(versions);
    if (!checked.accepted) return checked;
    const now = this.clock.now().toISOString();
    const command = { type: 'AcceptDocuments', userId, versions, now } as const;
    await this.streams.execute(acceptanceDecider, userId, command, { actor: userId });
    return { accepted: true };
  }
}
