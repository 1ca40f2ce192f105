/** The settings that publishing needs. */
export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** The folder for uploads while they are received and analysed. */
    readonly uploadFolder: string,
    /** How long publishing waits for comparisons of sounds that were just uploaded. */
    readonly copyCheckWaitMs: number,
    /** Whether this process itself makes samples of the files that it receives, instead of a job. */
    readonly encodesItself: boolean,
  ) {}
}
