# The program openapi-crate, linked statically, with the git that `check` and `update` ask. Build it from the top of the repository.
FROM rust:1-alpine AS build
RUN apk add --no-cache build-base cmake perl
COPY . /source
RUN cargo install --locked --path /source/crates/tool --root /installed

FROM alpine:3
# The mounted repository belongs to another user.
RUN apk add --no-cache git && git config --system --add safe.directory '*'
COPY --from=build /installed/bin/openapi-crate /usr/local/bin/
WORKDIR /repository
ENTRYPOINT ["openapi-crate"]
