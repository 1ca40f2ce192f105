/** The settings that publishing needs. */
export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** The folder for uploads while they are received and analysed. */
    readonly uploadFolder: string,
    /** How long publishing waits for comparisons of sounds that were just uploaded. */
    readonly copyCheckWaitMs: number,
  ) {}
}
