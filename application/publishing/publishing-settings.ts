import type { Origin } from '../../domain/shared/origin.js';

export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** Sounds of these origins are not accepted. */
    readonly refusedOrigins: readonly Origin[],
    /** A pack goes on sale only if the origin of each sample is stated. */
    readonly requiresOrigin: boolean,
    /** Publishing waits at most this long until newly uploaded sounds have been compared. */
    readonly copyCheckWaitMs: number,
    /** Whether this process encodes received files itself. Otherwise a job encodes them. */
    readonly encodesItself: boolean,
  ) {}
}
