# Builds the command from the sources, and leaves the compiler behind.
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN node scripts/prepare.mjs image

FROM node:22-bookworm-slim
# Outside of the container, only what is published can be reached. Still, the server starts only with HASHRANGE_AUTH=1, or with
# HASHRANGE_INSECURE=1 if everyone who reaches it may read and write.
ENV NODE_ENV=production HASHRANGE_HOST=0.0.0.0 HASHRANGE_PORT=8000 HASHRANGE_PATH=/data
COPY --from=build /src /opt/hashrange
RUN mkdir /data && chown node:node /data && ln -s /opt/hashrange/packages/hashrange/bin/hashrange.js /usr/local/bin/hashrange
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 node -e "fetch((process.env.HASHRANGE_TLS_CERT ? 'https' : 'http') + '://127.0.0.1:' + process.env.HASHRANGE_PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# The process itself gets the signals.
ENTRYPOINT ["node", "/opt/hashrange/packages/hashrange/bin/hashrange.js"]
CMD ["start"]
