/** How long a prepared file is kept. */
export const EXPORT_KEPT_DAYS = 7;
