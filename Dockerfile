# Builds the image of pdpp: docker build --tag pdpp .
# Without Compose, for this computer only:
#   docker run --detach --name pdpp --publish 127.0.0.1:7733:7733 --volume pdpp:/data --read-only --tmpfs /tmp pdpp
#   docker logs pdpp     shows the link to set your passphrase
FROM node:24-bookworm-slim AS build
WORKDIR /pdpp
COPY package.json package-lock.json ./
# No package has to be compiled for this version of Node.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && node scripts/trim-packages.mjs \
  && chmod +x dist/src/cli.js

# Node alone, without npm, yarn and the headers: a third less than the image of Node.
FROM debian:bookworm-slim
RUN useradd --uid 1000 --user-group --no-create-home --home-dir /data pdpp \
  && mkdir --mode=700 /data \
  && chown pdpp:pdpp /data \
  && ln -s /pdpp/dist/src/cli.js /usr/local/bin/pdpp
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /pdpp
COPY --from=build /pdpp/package.json /pdpp/LICENSE ./
COPY --from=build /pdpp/node_modules node_modules
COPY --from=build /pdpp/dist dist
COPY docker/check-health.mjs docker/
ENV NODE_ENV=production PDPP_DATA=/data PDPP_HOST=0.0.0.0 PDPP_PUBLIC_URL=http://127.0.0.1:7733
USER 1000:1000
VOLUME /data
EXPOSE 7733
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "/pdpp/docker/check-health.mjs"]
ENTRYPOINT ["pdpp"]
CMD ["serve"]
