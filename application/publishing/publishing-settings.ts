export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** The longest time that publishing waits until newly uploaded sounds are compared. */
    readonly copyCheckWaitMs: number,
    /** Whether this process encodes received files itself. Otherwise a job does. */
    readonly encodesItself: boolean,
  ) {}
}
