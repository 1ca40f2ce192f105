#!/bin/sh
# `offcut` in the container image, where everything is already installed and built.
exec node --enable-source-maps /offcut/dist/server/cli/cli.js "$@"
