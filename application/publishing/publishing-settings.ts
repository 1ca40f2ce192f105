export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** The time that publishing waits for comparisons of newly uploaded sounds. */
    readonly copyCheckWaitMs: number,
    /** Whether this process encodes the files it receives, instead of a job. */
    readonly encodesItself: boolean,
  ) {}
}
