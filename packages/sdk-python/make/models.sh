#!/bin/sh
# Writes the types of the Python client anew: `npm run unit -- sdk-python -u`, then this.
set -eu
cd "$(dirname "$0")/.."
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet --requirement make/requirements.txt
"$tools/bin/datamodel-codegen" --input generated/schemas.json --input-file-type openapi --openapi-scopes schemas \
  --output-model-type typing.TypedDict --target-python-version 3.11 --naming-strategy full-path --formatters builtin \
  --disable-timestamp --enable-version-header --enum-field-as-literal all --use-standard-collections \
  --use-union-operator --output "$tools/models.py"
{
  echo "# Made by make/models.sh; sha256 of generated/schemas.json:"
  echo "# $(sha256sum generated/schemas.json | cut -d ' ' -f 1)"
  cat "$tools/models.py"
} >chest_memory/models.py
