/** Addresses that begin with one of these names are the server's. All others are pages of the client. */
export const SERVER_PATHS =
  /^\/(api|media|dev|feeds|embed|oembed|healthz|readyz|metrics|\.well-known|robots\.txt|sitemap\.xml|tdm-policy\.json)(\/|$|\?)/;
