#!/bin/sh
# `offcut` in the container image, where everything is built and nothing has to be installed first.
exec node --enable-source-maps /offcut/dist/server/cli/cli.js "$@"
