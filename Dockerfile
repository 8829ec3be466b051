# docker build -t ecotone . && docker run --read-only -p 8080:8080 -v ecotone:/data ecotone
FROM docker.io/library/debian:bookworm-slim AS build
WORKDIR /ecotone
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends make
COPY Makefile ./
COPY .ci/packages .ci/
RUN make packages-run
COPY web/package.json web/package-lock.json web/.npmrc web/
RUN make node-modules
COPY . .
RUN make -j"$(nproc)" all && strip --strip-debug build/release/ecotone

FROM docker.io/library/debian:bookworm-slim
# The shared libraries of the program, as Debian's packages, so that scanners know their versions.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
        libmicrohttpd12 libpng16-16 libwebp7 libdeflate0 libsqlite3-0 libyaml-0-2 \
        libjansson4 libxxhash0 zlib1g libseccomp2 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /var/log/apt \
        /var/log/dpkg.log \
    && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin ecotone \
    && install -d -o ecotone -g ecotone /data
COPY --from=build /ecotone/build/release/ecotone /usr/local/bin/ecotone
COPY config/ecotone.yaml /etc/ecotone/ecotone.yaml
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=10s CMD ["ecotone", "health"]
ENTRYPOINT ["ecotone"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--cache", "/data/tiles.sqlite", "/etc/ecotone/ecotone.yaml"]
