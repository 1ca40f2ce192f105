/** The settings that publishing needs. */
export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** The folder for uploads while they are received and analysed. */
    readonly uploadFolder: string,
  ) {}
}
