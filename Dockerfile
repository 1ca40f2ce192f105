# The product in one image: API, worker and web client. `ROLE` selects what a container does.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS build
WORKDIR /offcut
COPY package.json package-lock.json ./
COPY bin/drop-unused-files.mjs bin/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2
# The release workflow sets both.
ARG VERSION=development
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Offcut" \
  org.opencontainers.image.description="A marketplace for music samples" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.base.name="docker.io/library/node:26.10.0-bookworm-slim"
# The loopback address of a container cannot be reached from outside.
# Eight threads: pictures use at most two, and the others read files and compress answers.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data UV_THREADPOOL_SIZE=8
WORKDIR /offcut
COPY --from=build /offcut/package.json ./
COPY --from=build /offcut/node_modules node_modules
COPY --from=build /offcut/dist dist
COPY --from=build /offcut/legal legal
COPY --chmod=755 bin/offcut-in-image.sh /usr/local/bin/offcut
# Only the data folder is writable, and the user is not root.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Every role answers it, including workers.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Started directly instead of through npm, so that signals reach the process that handles them.
CMD ["node", "--enable-source-maps", "dist/server/bootstrap/main.js"]
