/** What of the configuration publishing needs. */
export class PublishingSettings {
  constructor(
    readonly autoApproveCreators: boolean,
    /** Where uploads lie while they are received and analysed. */
    readonly uploadFolder: string,
  ) {}
}
